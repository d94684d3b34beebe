import { NotFound } from '#kernel/errors.ts'

/** The rest of a path that a `*` route caught, decoded: clients send names with slashes as they are, or with `%2F`. @throws NotFound when it is malformed */
export function decodePath(raw: string): string {
  try {
    return decodeURIComponent(raw)
  } catch (cause) {
    throw new NotFound(undefined, { cause })
  }
}
