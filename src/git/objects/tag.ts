import { GitError } from '../errors.ts'
import { idIn, splitHeader } from './header-text.ts'
import type { Ident } from './ident.ts'
import { parseIdent } from './ident.ts'
import type { ObjectType, Oid } from './oid.ts'

export interface Tag {
  object: Oid
  /** What `object` is. */
  type: ObjectType
  name: string
  /** Tags of git's first year have none. */
  tagger?: Ident
  /** The message without its signature, its last line break included. */
  message: string
  /** The armoured signature that ends the message. */
  signature?: string
}

const types: readonly string[] = ['commit', 'tree', 'blob', 'tag'] satisfies ObjectType[]
/** Source: git's `gpg-interface.c`. */
const signatureStart = /^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SIGNED MESSAGE|SSH SIGNATURE)-----/gm

/** Reads a tag. @throws GitError `corrupt` when it does not say what it points at */
export function parseTag(data: Uint8Array): Tag {
  const { headers, message } = splitHeader(data)
  const headerValue = (key: string) => headers.find((header) => header[0] === key)?.[1]
  const type = headerValue('type')
  if (type === undefined || !isObjectType(type)) throw new GitError('corrupt', 'Cannot read tag: its "type" line has no valid type')
  const tag: Tag = { object: idIn('tag', 'object', headerValue('object')), type, name: headerValue('tag') ?? '', message }
  const tagger = headerValue('tagger')
  if (tagger !== undefined) tag.tagger = parseIdent(tagger)
  const cut = signatureAt(message)
  if (cut >= 0) {
    tag.message = message.slice(0, cut)
    tag.signature = message.slice(cut)
  }
  return tag
}

/** Where the last signature begins, -1 when there is none. */
function signatureAt(message: string): number {
  let at = -1
  for (const match of message.matchAll(signatureStart)) at = match.index
  return at
}

function isObjectType(text: string): text is ObjectType {
  return types.includes(text)
}
