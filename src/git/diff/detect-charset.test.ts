import { expect, test } from 'bun:test'
import { cpuMeter } from '../../../test/cpu-time.ts'
import { detectCharset } from './detect-charset.ts'

/** In iconv's names, so that the bytes are another program's. */
function encoded(text: string, charset: string): Uint8Array {
  const run = Bun.spawnSync(['iconv', '-f', 'UTF-8', '-t', charset], { stdin: Buffer.from(text) })
  if (!run.success) throw new Error(run.stderr.toString())
  return run.stdout
}

const japanese = 'これは日本語のテキストです。文字コードを判定します。'
const simplified = '这是一个中文文本文件，用于测试编码检测。'
const traditional = '這是一個中文文字檔案，用於測試編碼偵測。'
const korean = '이것은 한국어 텍스트 파일입니다. 인코딩을 감지합니다.'
const russian = 'Это русский текст для проверки определения кодировки.'

const samples: [charset: string, iconv: string, text: string][] = [
  ['Shift_JIS', 'SHIFT_JIS', japanese],
  ['EUC-JP', 'EUC-JP', japanese],
  ['GB18030', 'GBK', simplified],
  ['Big5', 'BIG5', traditional],
  ['EUC-KR', 'EUC-KR', korean],
  ['windows-1251', 'CP1251', russian],
]

test.each(samples)('a text in %s is detected', (charset, iconv, text) => {
  expect(detectCharset(encoded(text, iconv))).toBe(charset)
})

test.each(samples)('so is one comment in %s among lines of code', (charset, iconv, text) => {
  const code = 'int main(void) {\n  return 0;\n}\n'.repeat(200)
  expect(detectCharset(Buffer.concat([Buffer.from(`${code}// `), encoded(text, iconv), Buffer.from(`\n${code}`)]))).toBe(charset)
})

test.each([
  ['Shift_JIS', 'SHIFT_JIS', '日本語'],
  ['GB18030', 'GBK', '中文'],
  ['EUC-KR', 'EUC-KR', '한글'],
  ['windows-1251', 'CP1251', 'Функция'],
  ['windows-1251', 'CP1251', 'вычисляет сумму чисел'],
])('so is a word or two in %s', (charset, iconv, text) => {
  expect(detectCharset(encoded(text, iconv))).toBe(charset)
})

test.each([
  ['Portuguese', 'CP1252', 'São só três ações não válidas'],
  ['Danish', 'CP1252', 'Blåbærgrød på øen, æøå'],
  ['Italian', 'CP1252', 'Perché è così più facile'],
  ['one word', 'CP1252', 'Größe'],
  ['Polish', 'CP1250', 'Zażółć gęślą jaźń'],
  ['French', 'CP1252', 'Voici un texte français très élégant à vérifier, naïve café.'],
  ['German', 'CP1252', 'Größe, Übermaß und Äpfel für Österreich'],
  ['a single letter', 'CP1252', 'The naïve way'],
  ['Spanish', 'CP1252', '¿Qué tal, señor? El niño comió más piñas.'],
  ['Swedish', 'CP1252', 'Räksmörgås på älven, åäö ÅÄÖ'],
  ['signs', 'CP1252', '“Quoted” – 20 °C ± 1 µm © 2026'],
  ['ASCII', 'ASCII', 'nothing but ASCII'],
])('%s is none of them', (_, iconv, text) => {
  expect(detectCharset(encoded(text, iconv))).toBeUndefined()
})

test('a long text costs no more than its beginning', () => {
  const spent = cpuMeter()
  expect(detectCharset(Buffer.alloc(8_000_000, encoded(`${simplified}\n`, 'GBK')))).toBe('GB18030')
  expect(detectCharset(Buffer.alloc(8_000_000, 0xe4))).toBeUndefined()
  expect(spent()).toBeLessThan(1000)
})
