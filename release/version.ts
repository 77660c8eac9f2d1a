/** The lines of the changelog that no release has yet. */
function unreleased(changelog: string): string[] {
  const part = changelog.split('\n## ').find((text) => text.startsWith('Unreleased\n')) ?? ''
  return part.split('\n').filter((line) => line.startsWith('- '))
}

/**
 * The version of a release of a commit: that of package.json, which must be the newest in the changelog, with nothing after it. A preview
 * has everything since then, and a version of its own, which comes after that one and before the next (semver 2.0).
 */
export function releaseVersion(
  { version, changelog, commit }: { version: string; changelog: string; commit: string },
  isPreview: boolean,
): string {
  if (isPreview) {
    const [major, minor] = version.split('.', 2)
    return `${major}.${Number(minor) + 1}.0-preview-${commit.slice(0, 8)}`
  }
  const lines = unreleased(changelog)
  if (lines.length)
    throw new Error(
      `CHANGELOG.md has ${lines.length} unreleased lines: give them a version (docs/guides/release.md), or add --preview.`,
    )
  const newest = /^## (\d\S*)/m.exec(changelog)?.[1]
  if (newest !== version)
    throw new Error(`The newest version in CHANGELOG.md is ${newest}, and that of package.json is ${version}.`)
  return version
}
