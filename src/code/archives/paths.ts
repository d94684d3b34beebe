import { BadRequest } from '#kernel/errors.ts'
import { queryOf } from '#kernel/http.ts'

const MAX_PATHS = 100
const MAX_PATH = 4096

/** The files and directories that a request's `path` parameters ask for; undefined when it asks for everything. @throws BadRequest */
export function parsePaths(url: string): string[] | undefined {
  const asked = new URLSearchParams(queryOf(url)).getAll('path').filter((path) => path !== '')
  if (asked.length === 0) return undefined
  if (asked.length > MAX_PATHS) throw new BadRequest(`Cannot archive ${asked.length} paths: at most ${MAX_PATHS} are allowed`)
  return asked.map(parsePath)
}

function parsePath(text: string): string {
  const path = text.replace(/\/+$/, '')
  const isOutside = path.split('/').some((part) => part === '' || part === '.' || part === '..')
  if (isOutside || path.length > MAX_PATH || /[\0-\x1f\\]/.test(path)) throw new BadRequest(`invalid path: ${text.slice(0, 200)}`)
  return path
}
