/** Typed here so that the compiler does not read five megabytes of licence texts. */
declare module 'spdx-license-list/spdx-full.json' {
  /** The path of the file, inside the executable or in node_modules. */
  const path: string
  export default path
}

declare module '*.gitignores' {
  const text: string
  export default text
}
