import { expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { cpuMeter } from '../../../test/cpu-time.ts'
import { testForge } from '../../../test/harness.ts'
import { PATIENCE } from '../../../test/seeds.ts'
import { coAuthorsOf } from './co-authors.ts'

const author = { name: 'Ada', email: 'ada@example.org', seconds: 0, offset: '+0000' } as never
const namesIn = (message: string) => coAuthorsOf({ message, author }).map(({ name }) => name)

test.each([
  ['Do it\n\nCo-authored-by: Bob <bob@example.org>\nco-authored-BY: Cy <cy@example.org>\n', ['Bob', 'Cy']],
  ['Do it\n\nCo-authored-by: Bob <bob@example.org>\nCo-authored-by: Robert <BOB@example.org>\n', ['Bob']],
  ['Do it\n\nCo-authored-by: Ada <ada@example.org>\n', []],
  ['Do it\n\nCo-authored-by: Bob <bob@example.org>\n\nMore words.\n', []],
  ['Co-authored-by: Bob <bob@example.org>', []],
  ['Do it\n\nCo-authored-by: Bob bob@example.org\n', []],
  ['Do it\n\nCo-authored-by:  \t Bob the Builder \t<bob@example.org> \t\nCo-authored-by:<cy@example.org>', ['Bob the Builder', 'cy@example.org']],
])('%j has been written together with %j', (message, names) => {
  expect(namesIn(message)).toEqual(names)
})

test.each(['Co-authored-by:%', 'Co-authored-by: Bob <bob@example.org>%', 'Co-authored-by: Bob%<bob@example.org'])(
  'very many spaces in %j cost nothing to speak of',
  (line) => {
    const spent = cpuMeter()
    expect(namesIn(`Do it\n\n${line.replace('%', ' '.repeat(16_000))}x`)).toEqual([])
    expect(spent()).toBeLessThan(500)
  },
)

test(
  'the page of a commit shows who wrote it together, accounts by the addresses that they have confirmed',
  async () => {
    await using forge = testForge()
    const ada = await forge.person('ada')
    const bob = await forge.person('bob')
    await forge.asUser(ada).post('/user/repos', { name: 'engine', auto_init: true })
    const message = `Together\n\nCo-authored-by: Robert <${bob.row.email}>\nCo-authored-by: Zoe <b> <zoe@example.org>\nCo-authored-by: Zoe <zoe@example.org>`
    const made = await forge.asUser(ada).post<{ commit: { sha: string } }>('/repos/ada/engine/contents/a.txt', { content: 'YQ==', message })
    const { text } = await new TestBrowser(forge).get(`/ada/engine/commit/${made.body.commit.sha}`)
    const line = /<p class="faint">(.*?) committed/s.exec(text)?.[1] ?? ''
    expect(line.match(/href="\/[a-z]+"/g)).toEqual(['href="/ada"', 'href="/bob"'])
    expect(line).toContain('<span class="who">Zoe</span>')
  },
  PATIENCE,
)
