import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TestBrowser } from '../../../test/browser.ts'
import { fillRepo, gitIn, type TestForge, testForge } from '../../../test/harness.ts'

let forge: TestForge
let page: TestBrowser
let tip: string

/** In iconv's names, so that the bytes are another program's. */
function encoded(text: string, charset: string): Uint8Array {
  return Bun.spawnSync(['iconv', '-f', 'UTF-8', '-t', charset], { stdin: Buffer.from(text) }).stdout
}

const table: [name: string, iconv: string, charset: string, old: string, now: string][] = [
  ['sjis.js', 'SHIFT_JIS', 'Shift_JIS', '日本語のテキスト', '文字コードを判定します'],
  ['eucjp.txt', 'EUC-JP', 'EUC-JP', '日本語のテキスト', '文字コードを判定します'],
  ['gbk.txt', 'GBK', 'GB18030', '这是中文文本文件', '用于测试编码检测'],
  ['big5.txt', 'BIG5', 'Big5', '這是中文文字檔案', '用於測試編碼偵測'],
  ['euckr.txt', 'EUC-KR', 'EUC-KR', '한국어 텍스트 파일', '인코딩을 감지합니다'],
  ['cp1251.txt', 'CP1251', 'windows-1251', 'Это русский текст', 'для проверки кодировки'],
  ['told.koi', 'KOI8-R', 'koi8-r', 'по', 'да'],
]

beforeAll(async () => {
  forge = testForge()
  const ada = await forge.person('ada')
  page = new TestBrowser(forge)
  fillRepo(forge, forge.repo(ada, 'engine').id, (directory) => {
    gitIn(directory, 'symbolic-ref', 'HEAD', 'refs/heads/main')
    writeFileSync(join(directory, '.gitattributes'), '*.koi working-tree-encoding=koi8-r\n')
    gitIn(directory, 'add', '.gitattributes')
    for (const at of [3, 4] as const) {
      for (const [name, iconv, ...rest] of table) {
        writeFileSync(join(directory, name), encoded(`// ${rest[at - 2]}\nlet a = 1\n`, iconv))
        // As a push may bring it: with the attribute, git's own `add` would store UTF-8.
        const oid = gitIn(directory, 'hash-object', '-w', '--no-filters', name).trim()
        gitIn(directory, 'update-index', '--add', '--cacheinfo', `100644,${oid},${name}`)
      }
      gitIn(directory, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', 'Next')
    }
    tip = gitIn(directory, 'rev-parse', 'HEAD').trim()
  })
})
afterAll(() => forge[Symbol.asyncDispose]())

test.each(table)('%s is shown in its encoding, and served as that', async (name, _iconv, charset, _old, now) => {
  const { text } = await page.get(`/ada/engine/src/branch/main/${name}`)
  expect([text.includes(now), text.includes(` · ${charset}`)]).toEqual([true, true])
  expect((await page.get(`/ada/engine/blame/branch/main/${name}`)).text).toContain(now)
  expect((await page.get(`/ada/engine/raw/branch/main/${name}`)).headers.get('content-type')).toBe(`text/plain; charset=${charset}`)
})

test.each(table)('a change of %s is shown in its encoding, and so are lines around it', async (name, _iconv, _charset, old, now) => {
  const { text } = await page.get(`/ada/engine/commit/${tip}`)
  const shown = text.replace(/<[^>]*>/g, '')
  expect([name, shown.includes(`// ${old}`), shown.includes(`// ${now}`)]).toEqual([name, true, true])
  const lines = await page.get(`/ada/engine/commit/${tip}?fragment=lines&of=${name}&first=1&last=2&shift=0`)
  expect(lines.text.replace(/<[^>]*>/g, '')).toContain(`// ${now}`)
})
