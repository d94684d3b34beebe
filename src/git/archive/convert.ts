import type { Oid } from '../objects/oid.ts'
import type { ArchiveAttributes } from './entry-walk.ts'
import { eolRule, withCrlf } from './line-endings.ts'

/**
 * A file's content as a checkout would have it: `$Id$` filled in, line ends and encoding as the attributes say. Filters are programs and
 * do not run. Source: `convert_to_working_tree` of git's `convert.c`.
 * @param oid of the blob
 */
export function toWorkingTree(data: Uint8Array, oid: Oid, attributes: ArchiveAttributes): Uint8Array {
  const identified = attributes.ident === true ? withIdent(data, oid) : data
  const ended = withCrlf(identified, eolRule(attributes))
  const encoding = attributes['working-tree-encoding']
  return typeof encoding === 'string' ? encoded(ended, encoding) : ended
}

/** A filled-in one is filled in anew; one with other words in it belongs to another system and stays. */
const ident = /\$Id(?:\$|:(?:[^$\n]?[^ $\n]* ?)?\$)/g

function withIdent(data: Uint8Array, oid: Oid): Uint8Array {
  if (!Buffer.from(data.buffer, data.byteOffset, data.length).includes('$Id')) return data
  const text = Buffer.prototype.latin1Slice.call(data, 0, data.length)
  return Buffer.from(
    text.replace(ident, () => `$Id: ${oid} $`),
    'latin1',
  )
}

const UTF16LE_MARK = new Uint8Array([0xff, 0xfe])
const UTF16BE_MARK = new Uint8Array([0xfe, 0xff])

/** Encodings that are not known here, and text that is no UTF-8, leave the content as it is stored; so does git when it cannot encode. */
function encoded(data: Uint8Array, encoding: string): Uint8Array {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(data)
  if (text.includes('\ufffd')) return data
  const little = () => Buffer.from(text, 'utf16le')
  switch (encoding.toUpperCase()) {
    case 'UTF-16':
    case 'UTF-16LE-BOM':
      return Buffer.concat([UTF16LE_MARK, little()])
    case 'UTF-16BE-BOM':
      return Buffer.concat([UTF16BE_MARK, little().swap16()])
    case 'UTF-16LE':
      return little()
    case 'UTF-16BE':
      return little().swap16()
    case 'ISO-8859-1':
    case 'LATIN1':
      return /[^\x00-\xff]/.test(text) ? data : Buffer.from(text, 'latin1')
    default:
      return data
  }
}
