import { useText } from '../locale.tsx'
import type { Paragraph } from './page-text.ts'

/** DOC-12: the text alone, in lines as long as a phone is wide; what is signed is the page. */
export function PageAsText({ paragraphs, scale }: { paragraphs: readonly Paragraph[]; scale: number }) {
  const t = useText()
  return (
    <div className="reader__text" style={{ fontSize: `${scale * 1.0625}rem` }}>
      <p className="reader__about">
        {paragraphs.length > 0
          ? t({
              pl: 'Sam tekst strony. Jej układ i\u00a0ilustracje pokazuje podgląd.',
              en: 'Text only. Switch back to see the layout and pictures.',
            })
          : t({ pl: 'Na tej stronie nie ma tekstu.', en: 'There’s no text on this page.' })}
      </p>
      <div translate="no">
        {paragraphs.map(({ text, isLarge }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- paragraphs may be equal, and never move
          <p key={index}>{isLarge ? <b>{text}</b> : text}</p>
        ))}
      </div>
    </div>
  )
}
