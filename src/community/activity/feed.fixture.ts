import { type CallOptions, type Reply, type TestForge, testForge } from '../../../test/harness.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import type { Activity } from './schema.ts'

export interface FeedForge extends TestForge {
  /** `call`, where nothing else will do than success. */
  ask<T = Record<string, unknown>>(line: string, options?: CallOptions): Promise<Reply<T>>
  feed(path: string, as?: string): Promise<Activity[]>
  /** A feed as `commit_repo refs/heads/main in ada/engine` and the like, newest first. */
  told(path: string, as?: string): Promise<string[]>
}

/** People: ada, bob, cara, and root1, who administers the site. Repositories: `ada/engine`, public. */
export async function feedForge(): Promise<FeedForge> {
  const forge = testForge({}, { clock: manualClock() })
  for (const name of ['ada', 'bob', 'cara']) await forge.person(name)
  await forge.person('root1', { isAdmin: true })
  const ask: FeedForge['ask'] = async <T>(line: string, options?: CallOptions) => {
    const reply = await forge.asUser(options?.as).send<T>(line, options)
    if (reply.status >= 400) throw new Error(`${line}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply
  }
  const feed: FeedForge['feed'] = async (path, as) => (await ask<Activity[]>(`GET ${path}`, { as })).body
  await ask('POST /user/repos', { as: 'ada', body: { name: 'engine' } })
  return {
    ...forge,
    ask,
    feed,
    told: async (path, as) => (await feed(path, as)).map(({ op_type, ref_name, repo }) => [op_type, ref_name, 'in', repo.full_name].filter(Boolean).join(' ')),
  }
}

/**
 * Adds `ada/secret`, private and open to bob, and ada's organization `acme` with `acme/tool`, private, and `acme/other`, public.
 * @returns the id of its team `crew`, where bob is and which reaches `acme/tool`
 */
export async function fillPrivate({ ask }: FeedForge): Promise<number> {
  await ask('POST /user/repos', { as: 'ada', body: { name: 'secret', private: true } })
  await ask('PUT /repos/ada/secret/collaborators/bob', { as: 'ada', body: { permission: 'read' } })
  await ask('POST /orgs', { as: 'ada', body: { username: 'acme' } })
  await ask('POST /orgs/acme/repos', { as: 'ada', body: { name: 'tool', private: true } })
  await ask('POST /orgs/acme/repos', { as: 'ada', body: { name: 'other' } })
  const { body: team } = await ask<{ id: number }>('POST /orgs/acme/teams', {
    as: 'ada',
    body: { name: 'crew', permission: 'read', units_map: { 'repo.code': 'read' } },
  })
  await ask(`PUT /teams/${team.id}/members/bob`, { as: 'ada' })
  await ask(`PUT /teams/${team.id}/repos/acme/tool`, { as: 'ada' })
  return team.id
}
