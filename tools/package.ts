/**
 * Makes what is installed without npm and without a network: `npm run package [-- --processor arm64] [--image] [--out FOLDER]`. It
 * writes to dist/ the archive, the Debian packages, sbom.cdx.json and SHA256SUMS; for this machine's processor unless told. With --image
 * it adds the container image, for this machine's processor alone.
 */

import { createHash } from 'node:crypto';
import {
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './build.mjs';
import { packFolder } from './packaging/archive.ts';
import { makeDebianPackages } from './packaging/debian.ts';
import { layOut } from './packaging/files.ts';
import { type DebianPackageVersion, imageName, makeImage } from './packaging/image.ts';
import { type Processor, processors } from './packaging/locked-packages.ts';
import { createSbom } from './packaging/sbom.ts';
import { root } from './processes.mjs';
import { PlainError, runStep } from './terminal.mjs';

const made =
  /^(pult-(server-)?\d.*\.tar\.gz|pult-(server|agent)_.*\.deb|sbom\.cdx\.json|SHA256SUMS|staging-.*)$/;

export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      processor: { type: 'string', multiple: true, default: [process.arch] },
      image: { type: 'boolean', default: false },
      out: { type: 'string', default: join(root, 'dist') },
    },
  });
  const out = resolve(values.out);
  const wanted = values.processor.map(readProcessor);
  if (values.image && !wanted.some((processor) => processor === process.arch))
    throw new PlainError(`The image is made for this machine's processor, ${process.arch}.`);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  await ensureBuilt();
  mkdirSync(out, { recursive: true });
  // Of another version or another day: the sums are of what is made now.
  for (const name of readdirSync(out)) {
    if (made.test(name)) rmSync(join(out, name), { recursive: true });
  }
  for (const processor of wanted) await packFor(processor, { version, out });
  let image: DebianPackageVersion[] | undefined;
  if (values.image) {
    await runStep(imageName(version), async () => {
      image = await makeImage({ version, out });
    });
  }
  await runStep('sbom.cdx.json', async () => {
    const sbom = await createSbom({ version, wanted, image });
    writeFileSync(join(out, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`);
    return `${sbom.components.length} components`;
  });
  await runStep('checksums', () => writeSums(out));
}

function readProcessor(name: string): Processor {
  if (name in processors) return name as Processor;
  throw new PlainError(`Pult is made for ${Object.keys(processors).join(' and ')}, and not for ${name}.`);
}

async function packFor(processor: Processor, { version, out }: { version: string; out: string }) {
  const parent = mkdtempSync(join(out, 'staging-'));
  const name = `pult-${version}-linux-${processor}`;
  try {
    await runStep(`files ${processor}`, () => layOut(join(parent, name), { processor, version }));
    await runStep(`${name}.tar.gz`, () => packFolder({ parent, name }, join(out, `${name}.tar.gz`)));
    await runStep(`packages ${processor}`, () =>
      makeDebianPackages(parent, out, { processor, version, files: join(parent, name) }),
    );
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

/** In the form of sha256sum, which checks it: `sha256sum -c SHA256SUMS`. */
async function writeSums(folder: string): Promise<string> {
  const lines = [];
  for (const name of readdirSync(folder).sort()) {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(join(folder, name))) hash.update(chunk);
    lines.push(`${hash.digest('hex')}  ${name}\n`);
  }
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
  return `${lines.length} files`;
}
