import { expect, test } from 'bun:test'
import { readFileText } from './file-text.ts'

const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)))

const table: [claim: string, data: Uint8Array, isCut: boolean, read: { text: string; charset?: string } | undefined][] = [
  ['UTF-8 is read as it is', bytes('héllo\n'), false, { text: 'héllo\n' }],
  ['without its mark', bytes([0xef, 0xbb, 0xbf], 'a'), false, { text: 'a' }],
  ['nothing is text', bytes(), false, { text: '' }],
  ['UTF-16, little end first', bytes([0xff, 0xfe], Buffer.from('hé', 'utf16le').toJSON().data), false, { text: 'hé', charset: 'UTF-16' }],
  ['big end first', bytes([0xfe, 0xff, 0, 0x68]), false, { text: 'h', charset: 'UTF-16' }],
  ['with NUL in it is none', bytes([0xff, 0xfe, 0x68, 0, 0, 0]), false, undefined],
  ['half a character at its end makes it none', bytes([0xff, 0xfe, 0x68, 0, 0x68]), false, undefined],
  ['but where it was cut there', bytes([0xff, 0xfe, 0x68, 0, 0x68]), true, { text: 'h', charset: 'UTF-16' }],
  ['other bytes are characters of Windows', bytes('na', [0xef], 've ', [0x80]), false, { text: 'naïve €', charset: 'Windows-1252' }],
  ['UTF-8 that was cut within a character is that still', bytes('ab', [0xf0, 0x9f, 0x98]), true, { text: 'ab' }],
  ['and is not where it ends so', bytes('ab', [0xf0, 0x9f]), false, { text: 'abðŸ', charset: 'Windows-1252' }],
  ['NUL is in no text', bytes('a', [0], 'b'), false, undefined],
]

test.each(table)('%s', (_, data, isCut, read) => {
  expect(readFileText(data, isCut)).toEqual(read && ({ charset: undefined, ...read } as never))
})
