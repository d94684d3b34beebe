import type { Child } from './html.ts'

interface FieldProps {
  name: string
  label: string
  value?: string | number | undefined
  type?: string
  /** Most characters. */
  most?: number
  min?: number
  max?: number
  isRequired?: boolean
  /** For names, addresses and patterns, which are no prose. */
  isExact?: boolean
  autocomplete?: string
}

/** One line of text under its label. */
export function TextField({ name, label, value, type, most, min, max, isRequired = false, isExact = false, autocomplete }: FieldProps) {
  return (
    <label>
      {label}
      <input
        name={name}
        type={type}
        value={value}
        maxlength={most}
        min={min}
        max={max}
        required={isRequired}
        autocomplete={autocomplete}
        autocapitalize={isExact ? 'none' : undefined}
        spellcheck={isExact ? 'false' : undefined}
        dir={isExact || type !== undefined ? undefined : 'auto'}
      />
    </label>
  )
}

interface AreaProps {
  name: string
  label: string
  value?: string | undefined
  rows?: number
  most?: number
  isRequired?: boolean
  isExact?: boolean
}

/** Several lines of text. */
export function TextArea({ name, label, value = '', rows = 3, most, isRequired = false, isExact = false }: AreaProps) {
  return (
    <label>
      {label}
      <textarea name={name} rows={rows} maxlength={most} required={isRequired} spellcheck={isExact ? 'false' : undefined} dir={isExact ? undefined : 'auto'}>
        {/* Browsers leave out the first line break. */}
        {`\n${value}`}
      </textarea>
    </label>
  )
}

/** A box to tick. */
export function Choice({ name, label, isOn, value = 'true' }: { name: string; label: Child; isOn: boolean; value?: string }) {
  return (
    <label class="choice">
      <input type="checkbox" name={name} value={value} checked={isOn} /> {label}
    </label>
  )
}

interface SelectProps<Value extends string> {
  name: string
  label: string
  /** Values with what people read. */
  options: readonly (readonly [Value, string])[]
  selected?: string | undefined
}

/** One of several. */
export function Select<Value extends string>({ name, label, options, selected }: SelectProps<Value>) {
  return (
    <label>
      {label}
      <select name={name}>
        {options.map(([value, text]) => (
          <option value={value} selected={value === selected}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

/** One of several, all of them in sight; `children` are what belongs to the choice. */
export function Radios<Value extends string>({ name, label, options, selected, children }: SelectProps<Value> & { children?: Child }) {
  return (
    <fieldset class="choices">
      <legend>{label}</legend>
      {options.map(([value, text]) => (
        <label class="choice">
          <input type="radio" name={name} value={value} checked={value === selected} /> {text}
        </label>
      ))}
      {children}
    </fieldset>
  )
}

interface ActionProps {
  action: string
  /** What the button says. */
  children: string
  /** What it is done to, for who hears the button and not what stands beside it. */
  to?: string
  name?: string
  value?: string | number
  isDanger?: boolean
  /** What is sent besides. */
  fields?: Readonly<Record<string, string>>
}

/** A form that is one button. */
export function ActionButton({ action, children, to, name, value, isDanger = false, fields = {} }: ActionProps) {
  return (
    <form method="post" action={action}>
      {Object.entries(fields).map(([field, text]) => (
        <input type="hidden" name={field} value={text} />
      ))}
      <button class={isDanger ? 'danger' : undefined} type="submit" name={name} value={value} aria-label={to === undefined ? undefined : `${children}: ${to}`}>
        {children}
      </button>
    </form>
  )
}

/** For what cannot be taken back: who does it types its name. `value` is what was typed. */
export function ConfirmingField({ name, whole, value }: { name: string; whole: string; value?: string | undefined }) {
  return (
    <label>
      {`Type ${whole} to confirm`}
      <input name={name} value={value} autocomplete="off" autocapitalize="none" spellcheck="false" required />
    </label>
  )
}

interface SearchProps {
  action: string
  label: string
  /** What the list is narrowed down by now. */
  q: string | undefined
  /** What else the address of the page says and is to go on saying. */
  kept?: Readonly<Record<string, string | undefined>>
}

/** A form that narrows a list down. */
export function SearchForm({ action, label, q, kept = {} }: SearchProps) {
  return (
    <form class="search" method="get" action={action}>
      {Object.entries(kept).map(([name, value]) => value !== undefined && <input type="hidden" name={name} value={value} />)}
      <input type="search" name="q" value={q} aria-label={label} placeholder={label} maxlength="255" />
      <button type="submit">Search</button>
    </form>
  )
}
