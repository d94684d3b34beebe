/** The classes of `[[:name:]]`, over bytes as the C locale sees them. */
const classes: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[\x21-\x7e]/,
  lower: /[a-z]/,
  print: /[\x20-\x7e]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\v\f\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
}

/** Whether a byte is of the class; undefined when there is no class of that name. */
export function isOfClass(name: string, byte: number): boolean | undefined {
  return Object.hasOwn(classes, name) ? (classes[name] as RegExp).test(String.fromCharCode(byte)) : undefined
}
