import { AuthApiError, AuthRetryableFetchError, AuthWeakPasswordError } from '@supabase/auth-js'
import { describe, expect, it } from 'vitest'
import { isTemporary, messageOf, UNEXPECTED, weaknessOf } from './auth-words.ts'

describe('the message of a failed authentication call', () => {
  it.each([
    [
      'the server refused',
      new AuthApiError('Invalid login credentials', 400, 'invalid_credentials'),
      'Invalid login credentials',
    ],
    [
      'too many tries',
      new AuthApiError('Please wait a minute.', 429, 'over_request_rate_limit'),
      'Please wait a minute.',
    ],
    [
      'the server is busy and says so',
      new AuthRetryableFetchError('The service is busy.', 503),
      'The service is busy.',
    ],
    ['a proxy sent its own message', new AuthRetryableFetchError('Bad Gateway', 502), UNEXPECTED],
    [
      'a response without a reason phrase',
      new AuthRetryableFetchError('HTTP 504', 504),
      UNEXPECTED,
    ],
    ['a response of an unknown form', new AuthRetryableFetchError('{"a":1}', 500), UNEXPECTED],
    ['there is no response', new AuthRetryableFetchError('Failed to fetch', 0), UNEXPECTED],
    ['the refusal has no message', new AuthApiError('', 400, undefined), UNEXPECTED],
    ['something else broke', new TypeError('x is undefined'), UNEXPECTED],
    ['nothing is known', undefined, UNEXPECTED],
  ])('when %s', (_, error, message) => {
    expect(messageOf(error)).toBe(message)
  })
})

describe('the hint next to a password', () => {
  it.each([
    [
      'too short',
      new AuthWeakPasswordError('Too short.', 422, ['length']),
      'Use 8 to 128 characters.',
    ],
    [
      'too common',
      new AuthWeakPasswordError('Common.', 422, ['pwned']),
      'Many people use this password, so it is easily guessed.',
    ],
    [
      'both',
      new AuthWeakPasswordError('Weak.', 422, ['length', 'pwned']),
      'Use 8 to 128 characters. Many people use this password, so it is easily guessed.',
    ],
    [
      'a reason we do not know',
      new AuthWeakPasswordError('Not your e-mail.', 422, ['characters']),
      'Not your e-mail.',
    ],
    ['no reason', new AuthWeakPasswordError('Too weak.', 422, []), 'Too weak.'],
    [
      'the old one again',
      new AuthApiError('Choose a different one.', 422, 'same_password'),
      'Choose a different one.',
    ],
    [
      'not weak at all',
      new AuthApiError('User already registered', 422, 'user_already_exists'),
      undefined,
    ],
  ])('when the password is %s', (_, error, text) => {
    expect(weaknessOf(error)).toBe(text)
  })
})

describe('whether a failure is temporary', () => {
  it.each([
    [new AuthRetryableFetchError('Failed to fetch', 0), true],
    [new AuthApiError('Please wait.', 429, 'over_request_rate_limit'), true],
    [new AuthApiError('Email link is invalid or has expired', 403, 'otp_expired'), false],
  ])('%s: %s', (error, temporary) => {
    expect(isTemporary(error)).toBe(temporary)
  })
})
