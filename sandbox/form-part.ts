/** A part of a form (multipart/form-data): the rest of its first line after its name, and its content. */
type Part = { header: string; content: string }

/** Returns a part of a form by its name; undefined if the form has none. */
export function partOf(form: string, name: string): Part | undefined {
  const called = `name="${name}"`
  const from = form.indexOf(called)
  const line = form.indexOf('\r\n', from)
  const head = form.indexOf('\r\n\r\n', from)
  const end = head < 0 ? -1 : form.indexOf('\r\n--', head + 4)
  if (from < 0 || end < 0) return undefined
  return { header: form.slice(from + called.length, line), content: form.slice(head + 4, end) }
}
