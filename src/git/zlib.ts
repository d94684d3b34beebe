let loaded: typeof import('node:zlib') | undefined

/** `node:zlib`, loaded with its first use: it brings all of node's streams along, which a start has no need of. */
export function zlib(): typeof import('node:zlib') {
  return (loaded ??= process.getBuiltinModule('node:zlib'))
}
