/** A page of the demonstration, in both languages unless `locale` is English; nothing indexes it. */
export const htmlPage = ({
  locale = 'pl',
  title,
  head = '',
  body,
}: {
  locale?: string
  title: string
  head?: string
  body: string
}) => `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`
