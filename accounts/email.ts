/** Characters that an address may have. */
export const EMAIL_LENGTH = 255

/**
 * The syntax of <input type="email">, and a dot in the domain: nobody's mail ends at '@gmail'. In lower case,
 * and ASCII alone, so that lower() of PostgreSQL and toLowerCase() agree.
 */
export const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
