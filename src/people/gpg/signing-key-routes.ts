import { Elysia } from 'elysia'
import { gate, operation, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { SigningKey } from './schema.ts'

/** What this server signs with: nothing. Commits that it makes are unsigned; clients that ask for its key are told so. */
export function signingKeys(context: Context) {
  return new Elysia({ name: 'gpg.signing-keys' })
    .use(gate(context))
    .get('/signing-key.gpg', none, { anyone: [], response: SigningKey, detail: operation('getSigningKey', 'Get default signing-key.gpg', 'miscellaneous') })
    .get('/signing-key.pub', none, { anyone: [], response: SigningKey, detail: operation('getSigningKeySSH', 'Get default signing-key.pub', 'miscellaneous') })
    .get('/signing-key.ssh', none, { anyone: [], response: SigningKey, detail: operation('getSSHSigningKey', 'Get default signing-key.ssh', 'miscellaneous') })
    .get('/repos/:owner/:repo/signing-key.gpg', none, {
      repo: 'code:read',
      params: RepoParams,
      response: SigningKey,
      detail: operation('repoSigningKey', 'Get signing-key.gpg for given repository', 'repository'),
    })
    .get('/repos/:owner/:repo/signing-key.pub', none, {
      repo: 'code:read',
      params: RepoParams,
      response: SigningKey,
      detail: operation('repoSigningKeySSH', 'Get signing-key.pub for given repository', 'repository'),
    })
}

const none = (): never => {
  throw new NotFound('no signing key')
}
