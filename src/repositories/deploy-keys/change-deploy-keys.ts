import type { RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { findKeyByFingerprint, insertPublicKey, type NewKey, type ParsedKey, parsePublicKey } from '#people/keys/index.ts'
import { type DeployKeyRow, findDeployKey, findDeployKeyByKey, findDeployKeyByTitle, insertDeployKey, removeDeployKey } from './store.ts'

/**
 * Lets a key open the repository. Source of the rules: Gitea's `models/asymkey/ssh_key_deploy.go`.
 * @throws Unprocessable when it is weak or malformed, a person's, or the repository has it, or its title, already
 */
export function addDeployKey(context: Pick<Context, 'db' | 'clock'>, repo: RepoRow, input: NewKey): DeployKeyRow {
  const parsed = parsePublicKey(input.key)
  const now = context.clock.seconds()
  return context.db.tx((tx) => {
    const keyId = sharedKey(tx, parsed, now)
    if (findDeployKeyByKey(tx, repo.id, keyId)) throw new Unprocessable('This key has already been added to this repository')
    if (findDeployKeyByTitle(tx, repo.id, input.title)) throw new Unprocessable('A key with the same name already exists')
    const id = insertDeployKey(tx, { repo_id: repo.id, key_id: keyId, title: input.title, is_read_only: Number(input.readOnly), created_at: now })
    return findDeployKey(tx, repo.id, id) as DeployKeyRow
  })
}

/** One that is gone already is no error. */
export function deleteDeployKey(context: Pick<Context, 'db'>, repo: RepoRow, id: number): void {
  context.db.tx((tx) => {
    if (findDeployKey(tx, repo.id, id)) removeDeployKey(tx, id)
  })
}

/** The id of the public key that all deploy keys of this fingerprint share. */
function sharedKey(tx: Tx, { content, fingerprint }: ParsedKey, now: number): number {
  const known = findKeyByFingerprint(tx, fingerprint)
  if (known && known.user_id !== null) throw new Unprocessable('Key content has been used as non-deploy key')
  return known?.id ?? insertPublicKey(tx, { user_id: null, title: '', fingerprint, content, is_read_only: 0, created_at: now })
}
