/** Values by the names of variables. */
export type Variables = Readonly<Record<string, string>>

/** `$$`; `${NAME}`; `$NAME`, and `$` before what shells have as a variable of one character. */
const reference = /\$(?:\{([^{}\n]*)\}|([*#$@!?0-9-])|(\w+))/g

/**
 * Puts values in the place of `$NAME` and `${NAME}`, once: what a value holds is not looked at again. As with Go's `os.Expand`, which Gitea uses,
 * a name without a value stands for itself, and so does `$` in `$$`.
 */
export function expandVariables(text: string, variables: Variables): string {
  return text.replace(reference, (_, braced?: string, special?: string, plain?: string) => {
    const name = braced ?? special ?? plain ?? ''
    return Object.hasOwn(variables, name) ? (variables[name] as string) : name
  })
}

/** The same for bytes, which stay what they are wherever they name nothing. */
export function expandBytes(data: Uint8Array, variables: Variables): Uint8Array {
  const encoded = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]))
  const text = Buffer.prototype.latin1Slice.call(data, 0, data.length)
  return Buffer.from(expandVariables(text, encoded), 'latin1')
}

/** What no name of a file may have on some system or other. */
const unfit = /\.\.|[<>:"/\\|?*\u0000-\u001f]/g
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** The same for a path, name by name: no value leads anywhere else, or to a name that cannot be checked out. */
export function expandPath(path: string, variables: Variables): string {
  const expanded = path.split('/').map((name) => {
    const value = expandVariables(name, variables)
    return value === name ? name : value.replace(unfit, '_').replace(device, '_') || '_'
  })
  return expanded.join('/')
}
