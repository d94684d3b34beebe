import { afterAll } from 'bun:test'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accessStore } from '#access/index.ts'
import type { ContextParts } from '#context.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { systemClock } from '#kernel/clock.ts'
import { testForge } from '../../../test/harness.ts'
import { idOf, makeCommit, makeTree, PackBuilder } from '../../../test/pack-builder.ts'

const DAY = 86_400
/** For clones and the like; it goes when the tests are over. */
export const scratch = mkdtempSync(join(tmpdir(), 'pf-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** A forge that serves git, with a repository that was pushed to three times; its clock can be put forward. */
export async function pushedThrice(settings: Record<string, unknown> = {}, parts: ContextParts = {}) {
  let ahead = 0
  const forge = testForge(
    { git: { UPKEEP_SECONDS: 0, ...settings } },
    { ...parts, clock: { seconds: () => systemClock.seconds() + ahead, millis: () => systemClock.millis() + ahead * 1000 } },
  )
  const ada = await forge.person('ada')
  const { id } = forge.repo(ada, 'engine')
  const server = Bun.serve({ port: 0, fetch: forge.app.fetch })
  const url = `http://${ada.token}@localhost:${server.port}/ada/engine`
  let tips: Oid[] = []
  /** Sends a pack as git does, without the processes that git starts for it. @returns what the server reports */
  const pushPack = async (command: string, builder: PackBuilder, repository = 'ada/engine'): Promise<string> => {
    const line = `${command}\0report-status`
    const body = Buffer.concat([Buffer.from(`${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`), builder.build()])
    const headers = { 'Content-Type': 'application/x-git-receive-pack-request', Authorization: `token ${ada.token}` }
    const response = await forge.app.handle(new Request(`http://localhost/${repository}/git-receive-pack`, { method: 'POST', headers, body }))
    return response.text()
  }
  /** Pushes a commit of one file to `main`: on top of what is there, or instead of it. */
  const push = async (content: string | Uint8Array, option?: '--amend'): Promise<Oid> => {
    const before = tips.at(-1) ?? SHA1.zero
    if (option === '--amend') tips = tips.slice(0, -1)
    const tree = makeTree([['100644', 'file', idOf('blob', content)]])
    const commit = makeCommit(idOf('tree', tree), tips.slice(-1), typeof content === 'string' ? `${content.slice(0, 50)}\n` : 'bytes\n')
    const oid = idOf('commit', commit) as Oid
    const builder = new PackBuilder()
    builder.add('blob', content)
    builder.add('tree', tree)
    builder.add('commit', commit)
    const report = await pushPack(`${before} ${oid} refs/heads/main`, builder)
    if (!report.includes('ok refs/heads/main')) throw new Error(`The push was refused: ${report}`)
    tips = [...tips, oid]
    return oid
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
    pushPack,
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

/** Turns a bit of a pack, by default the only one, or of what belongs to it. */
export function damage(place: { bare: string; packs(): string[] }, ending: 'pack' | 'idx', at: number, pack = place.packs()[0] as string): void {
  const path = join(place.bare, 'objects/pack', pack.replace(/pack$/, ending))
  const bytes = readFileSync(path)
  bytes[at] = (bytes[at] as number) ^ 4
  chmodSync(path, 0o600)
  writeFileSync(path, bytes)
}
