import { useLocale, useText } from '../app/locale.tsx'
import { formatDate } from '../text/format.ts'
import './prose.css'

type Section = { title: string; body: readonly (string | readonly string[])[] }

/** Shows the sections of a long text, for a parent of class `prose`. */
export function Prose({ sections, heading: Heading }: { sections: readonly Section[]; heading: 'h2' | 'h3' }) {
  return sections.map(({ title, body }) => (
    <section key={title}>
      <Heading>{title}</Heading>
      {body.map((part) =>
        typeof part === 'string' ? (
          <p key={part}>{part}</p>
        ) : (
          <ul key={part[0]}>
            {part.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        ),
      )}
    </section>
  ))
}

/** Shows the day from which a wording applies. */
export function VersionLine({ version }: { version: string }) {
  const t = useText()
  const day = formatDate(useLocale(), version)
  return <p className="small muted">{t({ pl: `Wersja z\u00a0${day}`, en: `Version of ${day}` })}</p>
}
