import { afterAll, expect, test } from 'bun:test'
import { cpuMeter } from '../../../test/cpu-time.ts'
import type { Random } from '../../../test/generate-history.ts'
import { git, initBare, temporaryDirectory } from '../../../test/git-fixture.ts'
import { PATIENCE, property } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import { checkpointOf } from '../checkpoint.ts'
import { defaultLimits } from '../limits.ts'
import { parseCommit } from '../objects/commit.ts'
import type { Oid } from '../objects/oid.ts'
import { DiskStore } from '../store/disk.ts'
import { formatCommit } from './format-commit.ts'
import { type SampleFiles, SampleTrees } from './sample-tree.fixture.ts'
import { writeArchive } from './write-archive.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())

const messages = [
  'one line\n',
  'subject\n\nbody\n',
  'two line\nsubject\n\nbody\n\nmore of it\n\n\n',
  '\n\n  blank before and after  \n\n\n body indented\n',
  'no end',
  'grüße: «çüé» 日本\n\n🐧\n',
  '...dots...and - dashes--\n',
  'tab\there\n \t \nbody after a line of blanks\n',
  'trailing   \nblanks   \n\n  body  \n',
]
const people = ['Ada Lovelace <ada@example.org>', 'Zoë <zoe>', 'No Mail <>', 'A.B. <a@b@c>']
const dates = ['1700000000 +0100', '0 +0000', '1112911993 -0700', '1709164800 +1245', '4102444800 -0330', '951782399 +0530']

/** Every placeholder that depends on nothing but the commit, alone and where its neighbours matter. */
const formats = [
  ...['H', 'T', 'P', 'e', 's', 'b', 'B', 'f', 'n', '%', 'm'].map((letter) => `[%${letter}]`),
  ...['an', 'ae', 'al', 'ad', 'aD', 'at', 'ai', 'aI', 'as', 'cn', 'ce', 'cl', 'cd', 'cD', 'ct', 'ci', 'cI', 'cs'].map((letters) => `[%${letters}]`),
  ...['%x41', '%xc3%xbc', '%xZZ', '%x4', '100%', '%', '%q', '%a', '%aq', '%%H', '%%%H'],
  ...['%+s|', '%-s|', '% s|', '%+b|', '% b|', 'a%n%n%-b|', '%s%+b', '%+e|', '% e|', '%n%-e|', '%+H%+T'],
  'mixed: %h%n%an <%ae>%n%n%w%s',
]

/** Git writes UTC so since 2.45. */
const withZ = (text: string) => text.replace(/(?<=T\d\d:\d\d:\d\d)\+00:00/, 'Z')

test(
  'placeholders stand for what git says they do, of commits of every kind',
  () => {
    initBare(root.path)
    const stream = messages.map((message, at) => {
      const who = (index: number) => `${people[index % people.length]} ${dates[index % dates.length]}`
      const merge = at > 2 && at % 3 === 0 ? `merge :${at - 1}\n` : ''
      return `commit refs/heads/c\nmark :${at + 1}\nauthor ${who(at)}\ncommitter ${who(at + 1)}\ndata ${Buffer.byteLength(message)}\n${message}\n${merge}M 100644 inline f\ndata 1\n${at}\n\n`
    })
    git(['fast-import', '--quiet'], { cwd: root.path, stdin: stream.join('') })
    const oids = git(['rev-list', 'c'], { cwd: root.path }).toString().trim().split('\n') as Oid[]
    const store = DiskStore.open(root.path)
    for (const format of formats) {
      const args = ['-c', 'core.abbrev=10', 'log', '--no-walk=unsorted', '--stdin', '-z', `--format=tformat:${format}`]
      const expected = git(args, { cwd: root.path, stdin: oids.join('\n') })
        .toString()
        .split('\0')
        .slice(0, oids.length)
        .map(withZ)
      const found = oids.map((oid) => Buffer.from(formatCommit({ ...parseCommit(store.get(oid, 'commit').data), oid }, format)).toString())
      expect({ format, found }).toEqual({ format, found: expected })
    }
    store.close()
  },
  PATIENCE,
)

test.each([
  ['%f', `a${'.-'.repeat(60_000)}b`, ''],
  ['%B%-e', `a${'\n'.repeat(120_000)}b`, ''],
])('%s of a message that goes on and on costs little', (format, message, encoding) => {
  const spent = cpuMeter()
  expect(Buffer.from(formatCommit({ message, encoding } as never, format)).toString() === message).toBe(true)
  expect(spent()).toBeLessThan(500)
})

const names = ['a.txt', 'b.sh', 'sub/c.txt', 'sub/deep/d.id', 'sub/e.crlf', 'keep/f', 'ü.txt', 'x.skip']
const rules = ['*.txt', '*.skip', 'sub', 'sub/', 'sub/**', '/keep', 'deep', '*.crlf', '*.id', '*', 'sub/*.txt', '[a-c].txt', '"\\303\\274.txt"']
const settings = ['export-ignore', '-export-ignore', '!export-ignore', 'export-subst', 'text eol=crlf', 'text=auto eol=crlf', '-text', 'ident', 'binary']

function someFiles(random: Random): SampleFiles {
  const lines = () => Array.from({ length: random.below(5) }, () => `${random.pick(rules)} ${random.pick(settings)}`).join('\n')
  const files: SampleFiles = { 'always.txt': 'x\n' }
  for (const name of names) {
    const text = random.pick([
      'line\nline\n',
      'crlf\r\nlf\n',
      '$Format:%H %s%n%ad$\n',
      '$Id$ and $Id: old $\n',
      'no end',
      '\0binary\n',
      '',
      '$Format:%an$$Format:%ae$ $Format: $Format:%x41$',
      '$Format:%xfc%xc3%xbc ü %s$\n',
    ])
    if (random.chance(0.8)) files[name] = random.chance(0.15) ? { mode: random.pick(['100755', '120000'] as const), data: text || 'to' } : text
  }
  for (const at of ['', 'sub/', 'sub/deep/']) if (random.chance(0.6)) files[`${at}.gitattributes`] = lines()
  return files
}

property('archives of random trees under random attributes are those of git archive, byte for byte', 6, async (random) => {
  using trees = new SampleTrees()
  for (let round = 0; round < soak(3, 8); round++) {
    const files = someFiles(random)
    const oid = await trees.commit(files)
    const pieces: Uint8Array[] = []
    const sink = { write: (bytes: Uint8Array) => void pieces.push(Buffer.from(bytes)), end: () => {} }
    await writeArchive(trees.store, oid, { format: 'tar', prefix: 'p/' }, { limits: defaultLimits, checkpoint: checkpointOf() }, sink)
    const expected = Buffer.from(await trees.archive('--format=tar', '--prefix=p/', oid))
    if (!Buffer.concat(pieces).equals(expected)) throw new Error(`another archive of ${JSON.stringify(files)}`)
  }
})
