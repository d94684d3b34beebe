/** `1 hour 5 minutes`; what is shorter than a minute in seconds. Source: Gitea's `util.SecToHours`. */
export function spellTime(seconds: number): string {
  const sign = seconds < 0 ? '-' : ''
  const whole = Math.abs(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const parts = hours + minutes === 0 ? [counted(whole, 'second')] : [counted(hours, 'hour'), counted(minutes, 'minute')]
  return sign + parts.filter((part) => part !== '').join(' ')
}

function counted(n: number, unit: string): string {
  return n === 0 ? '' : `${n} ${unit}${n === 1 ? '' : 's'}`
}

/** `1h 5m 3s`, as clocks are read. */
export function clockTime(seconds: number): string {
  const parts: [number, string][] = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ]
  const shown = parts.filter(([n]) => n > 0).map(([n, unit]) => `${n}${unit}`)
  return shown.length === 0 ? '0s' : shown.join(' ')
}
