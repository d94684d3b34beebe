import { afterAll } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accessStore } from '#access/index.ts'
import type { ContextParts } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { systemClock } from '#kernel/clock.ts'
import { git, testForge } from '../../../test/harness.ts'

const DAY = 86_400
/** For clones and the like; it goes when the tests are over. */
export const scratch = mkdtempSync(join(tmpdir(), 'pf-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** A forge that serves git, with a repository that was pushed to three times; its clock can be put forward. */
export async function pushedThrice(name: string, settings: Record<string, unknown> = {}, parts: ContextParts = {}) {
  let ahead = 0
  const forge = testForge(
    { git: { UPKEEP_SECONDS: 0, ...settings } },
    { ...parts, clock: { seconds: () => systemClock.seconds() + ahead, millis: () => systemClock.millis() + ahead * 1000 } },
  )
  const ada = await forge.person('ada')
  const { id } = forge.repo(ada, 'engine')
  const server = Bun.serve({ port: 0, fetch: forge.app.fetch })
  const url = `http://${ada.token}@localhost:${server.port}/ada/engine`
  const work = join(scratch, name)
  await git(['init', '-q', '-b', 'main', work])
  const push = async (text: string | Uint8Array, ...options: string[]) => {
    writeFileSync(join(work, 'file'), text)
    await git(['add', '.'], { cwd: work })
    await git(['commit', '-qm', typeof text === 'string' ? text : 'bytes', ...options], { cwd: work })
    await git(['push', '-qf', url, 'HEAD:main'], { cwd: work })
    return (await git(['rev-parse', 'HEAD'], { cwd: work })) as Oid
  }
  const commits = [await push('one'), await push('two'), await push('three')]
  const { context } = forge
  const repo = accessStore.findRepoById(context.db, id)
  if (!repo) throw new Error('the repository is gone')
  const bare = context.git.pathOf(id)
  return {
    forge,
    context,
    repo,
    ada,
    bare,
    url,
    push,
    commits,
    packs: () => readdirSync(join(bare, 'objects', 'pack')).filter((file) => file.endsWith('.pack')),
    passDays: (days: number) => {
      ahead += days * DAY
    },
    async [Symbol.asyncDispose]() {
      await server.stop(true)
      await forge[Symbol.asyncDispose]()
    },
  }
}
