import { GitError } from '../errors.ts'
import type { RemoteResponse } from './transport.ts'

/** The other server requires credentials, or rejects those that it got. */
export class AuthenticationRequired extends GitError {
  constructor(status: number) {
    super('refused', status === 401 ? 'The remote server requires a username and a password or token' : 'The remote server denies access')
  }
}

/** @throws GitError if the response is not a success of this media type: another server may be anything */
export async function expectSuccess({ status, headers, body }: RemoteResponse, type: string): Promise<void> {
  const found = headers.get('content-type')?.split(';', 1)[0]?.trim()
  if (status === 200 && found === type) return
  await body[Symbol.asyncIterator]().return?.()
  if (status === 401 || status === 403) throw new AuthenticationRequired(status)
  if (status === 404 || status === 410) throw new GitError('absent', 'The remote repository does not exist, or it requires credentials')
  if (status === 429) throw new GitError('limit', 'The remote server limits the rate of requests. Try again later.')
  if (status !== 200) throw new GitError('protocol', `The remote server responds with status ${status}`)
  throw new GitError('protocol', `The remote server does not speak git's smart HTTP protocol: its response is "${found ?? 'without a media type'}"`)
}
