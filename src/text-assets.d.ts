declare module '*.sql' {
  const text: string
  export default text
}

/** Imported `with { type: 'file' }`: the path of a file, inside the executable once that is compiled. */
declare module 'swagger-ui-dist/*' {
  const path: string
  export default path
}

declare module '*.txt' {
  const text: string
  export default text
}

declare module '*.css' {
  const text: string
  export default text
}

/** Imported `with { type: 'text' }`: a script for browsers. */
declare module '*/ask-for-key.js' {
  const text: string
  export default text
}

declare module '*.md' {
  const text: string
  export default text
}
