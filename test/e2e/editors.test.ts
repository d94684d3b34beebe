import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { git } from '../git.ts'
import { soak } from '../soak.ts'
import { forgeForStories, fsck, type Member, story } from './forge.ts'

const PEOPLE = soak(15, 50)
/** Accounts, through which they work. */
const ACCOUNTS = 3
const EDITS = 3

interface Edited {
  status: number
  path: string
  text: string
  sha: string | undefined
}

story(`${PEOPLE} people edit files of one repository at once`, () => {
  const forge = forgeForStories({ env: { POCKETFORGE_SECURITY_SIGN_IN_FAILURES: '0' } })
  const people: Member[] = []
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const url = () => forge.url('ada/shared', forge.ada)

  beforeAll(async () => {
    await forge.api('POST /user/repos', forge.ada, { name: 'shared', auto_init: true })
    for (let i = 0; i < ACCOUNTS; i++) {
      const one = await forge.join(`person${i}`)
      await forge.api(`PUT /repos/ada/shared/collaborators/${one.name}`, forge.ada, { permission: 'write' })
      people.push(one)
    }
  }, 120_000)

  async function write(who: number, path: string, text: string, sha?: string): Promise<Edited> {
    const member = people[who % people.length] as Member
    const answer = await forge.api(`${sha ? 'PUT' : 'POST'} /repos/ada/shared/contents/${path}`, member, {
      content: base64(text),
      message: text,
      ...(sha && { sha }),
    })
    const body = (await answer.json()) as { commit?: { sha: string } }
    return { status: answer.status, path, text, sha: body.commit?.sha }
  }

  /** Every commit that was answered is in the history, with what it says and the text it brought. */
  async function expectInHistory(landed: readonly Edited[], clone: string): Promise<void> {
    const copy = join(forge.directory, clone)
    await git(['clone', '--quiet', url(), copy])
    expect(await fsck(copy)).toBe('')
    const subjects = new Map(
      (await git(['log', '--first-parent', '--format=%H %s'], { cwd: copy })).split('\n').map((line) => [line.slice(0, 40), line.slice(41)]),
    )
    expect(landed.map(({ sha }) => subjects.get(sha as string))).toEqual(landed.map(({ text }) => text))
    const contents = await git(['cat-file', '--batch=%(objecttype)'], { cwd: copy, input: landed.map(({ sha, path }) => `${sha}:${path}\n`).join('') })
    expect(contents).toBe(landed.map(({ text }) => `blob\n${text}`).join('\n'))
  }

  test('each a file of their own: all are answered 201, and all is in the history', async () => {
    const attempts = await Promise.all(
      Array.from({ length: PEOPLE }, async (_, who) => {
        const done: Edited[] = []
        for (let i = 0; i < EDITS; i++) done.push(await write(who, `people/${who}/${i}.txt`, `${who} writes ${i}`))
        return done
      }),
    )
    const all = attempts.flat()
    expect(all.filter(({ status }) => status !== 201)).toEqual([])
    await expectInHistory(all, 'own')
    const files = (await git(['ls-tree', '-r', '--name-only', 'HEAD', 'people'], { cwd: join(forge.directory, 'own') })).split('\n')
    expect(files.sort()).toEqual(all.map(({ path }) => path).sort())
  }, 120_000)

  test('all the same file: nobody writes over what they have not seen', async () => {
    const first = await write(0, 'one.txt', 'first')
    expect(first.status).toBe(201)
    const { sha } = (await (await forge.api('GET /repos/ada/shared/contents/one.txt', forge.ada)).json()) as { sha: string }
    const all = await Promise.all(Array.from({ length: PEOPLE }, (_, who) => write(who, 'one.txt', `${who} was here`, sha)))
    const landed = all.filter(({ status }) => status === 200)
    expect(landed).toHaveLength(1)
    expect(all.filter(({ status }) => ![200, 409, 422].includes(status))).toEqual([])
    await expectInHistory(landed, 'same')
    expect(await git(['show', 'HEAD:one.txt'], { cwd: join(forge.directory, 'same') })).toBe(landed[0]?.text as string)
  }, 120_000)

  test('all to branches of their own: everybody is done at once', async () => {
    const all = await Promise.all(
      Array.from({ length: PEOPLE }, async (_, who) => {
        const member = people[who % people.length] as Member
        const body = { content: base64(`${who}`), new_branch: `branch-${who}` }
        return (await forge.api(`POST /repos/ada/shared/contents/b${who}.txt`, member, body)).status
      }),
    )
    expect(all).toEqual(all.map(() => 201))
    expect((await git(['ls-remote', '--heads', url()])).split('\n')).toHaveLength(PEOPLE + 1)
  }, 120_000)
})
