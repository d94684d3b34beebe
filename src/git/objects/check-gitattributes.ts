import { namedFault } from './fsck-messages.ts'

/** Source: `ATTR_MAX_FILE_SIZE` and `ATTR_MAX_LINE_LENGTH` of git's `attr.h`. */
const MAX_ATTRIBUTES_BYTES = 100 * 1024 * 1024
const MAX_LINE_BYTES = 2048
const LF = 10

/**
 * Refuses a `.gitattributes` file that older versions of git overflow on. Source: `fsck_blob` of git's `fsck.c`.
 * @throws GitError `refused`, with git's name for the fault unless that is in `ignored`
 */
export function checkGitattributes(data: Uint8Array, ignored: ReadonlySet<string>): void {
  refuseLargeAttributes(data.length, ignored)
  if (ignored.has('gitattributesLineLength')) return
  for (let at = 0; at < data.length; ) {
    const found = data.indexOf(LF, at)
    const end = found < 0 ? data.length : found
    if (end - at >= MAX_LINE_BYTES) throw namedFault('gitattributesLineLength', `the .gitattributes file has a line of ${end - at} bytes`)
    at = end + 1
  }
}

/** The same by the file's length alone. */
export function refuseLargeAttributes(length: number, ignored: ReadonlySet<string>): void {
  if (length > MAX_ATTRIBUTES_BYTES && !ignored.has('gitattributesLarge'))
    throw namedFault('gitattributesLarge', `the .gitattributes file of ${length} bytes is too large`)
}
