/** What one line of a configuration sets. */
export interface ConfigSetting {
  /**
   * `submodule.lib`: in lower case up to the dot, behind it as it is written. All settings of a section share this one string, which may be longer
   * than all of them.
   */
  section: string
  /** In lower case. */
  key: string
  /** Undefined where no `=` follows. */
  value: string | undefined
}

const SPACE = /[ \t\r\n]/
const KEY = /[A-Za-z0-9-]/
const ESCAPES: Record<string, string | undefined> = { t: '\t', b: '\b', n: '\n', '\\': '\\', '"': '"' }

/**
 * The settings of a file in the format of git's configuration, up to the first place where it has none: git reads no further either.
 * Source: `git_parse_source` of git's `config.c`. A byte order mark is passed over, as where git reads a file.
 * @param text one character a byte
 */
export function* readGitConfig(text: string): Generator<ConfigSetting> {
  const reader = new Reader(text.replace(/^\xef\xbb\xbf/, ''))
  let section = ''
  while (!reader.isAtEnd) {
    const char = reader.next()
    if (SPACE.test(char)) continue
    if (char === '#' || char === ';') reader.skipLine()
    else if (char === '[') {
      const found = reader.section()
      if (found === undefined) return
      section = found
    } else {
      const setting = /[A-Za-z]/.test(char) ? reader.setting(char) : undefined
      if (setting === undefined) return
      yield { section, ...setting }
    }
  }
}

/** What follows a character that tells what it is; undefined where it is nothing of the kind. */
class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** The end of the text is the end of a line, and so is a carriage return before one. */
  next(): string {
    if (this.#text.startsWith('\r\n', this.#at)) this.#at++
    return this.#text[this.#at++] ?? '\n'
  }

  skipLine(): void {
    while (this.next() !== '\n');
  }

  section(): string | undefined {
    const { word, after } = this.#word(/[A-Za-z0-9.-]/)
    if (after === ']') return word
    if (!SPACE.test(after)) return undefined
    const name = this.#quotedName(after)
    return name === undefined || this.next() !== ']' ? undefined : `${word}.${name}`
  }

  #quotedName(space: string): string | undefined {
    if (this.#skip(space, /[ \t\r]/) !== '"') return undefined
    let name = ''
    for (let char = this.next(); char !== '"'; char = this.next()) {
      const meant = char === '\\' ? this.next() : char
      if (char === '\n' || meant === '\n') return undefined
      name += meant
    }
    return name
  }

  setting(first: string): { key: string; value: string | undefined } | undefined {
    const { word, after } = this.#word(KEY)
    const key = first.toLowerCase() + word
    const sign = this.#skip(after, /[ \t]/)
    if (sign === '\n') return { key, value: undefined }
    const value = sign === '=' ? this.#value() : undefined
    return value === undefined ? undefined : { key, value }
  }

  #value(): string | undefined {
    let value = ''
    let isQuoted = false
    let space = ''
    for (let char = this.next(); char !== '\n'; char = this.next()) {
      if (!isQuoted && SPACE.test(char)) {
        if (value !== '') space += char
        continue
      }
      if (!isQuoted && (char === '#' || char === ';')) {
        this.skipLine()
        return value
      }
      value += space
      space = ''
      if (char === '"') isQuoted = !isQuoted
      else if (char !== '\\') value += char
      else {
        const escaped = this.next()
        const meant = escaped === '\n' ? '' : ESCAPES[escaped]
        if (meant === undefined) return undefined
        value += meant
      }
    }
    return isQuoted ? undefined : value
  }

  #skip(from: string, what: RegExp): string {
    let char = from
    while (what.test(char)) char = this.next()
    return char
  }

  /** In lower case. */
  #word(of: RegExp): { word: string; after: string } {
    let word = ''
    let after = this.next()
    for (; of.test(after); after = this.next()) word += after.toLowerCase()
    return { word, after }
  }
}
