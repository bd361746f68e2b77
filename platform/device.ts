/** In this header a browser shows the secret by which an account knows it again (product 9.3.15). */
export const DEVICE_HEADER = 'X-Device'
