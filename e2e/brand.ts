/** `node e2e/brand.ts`: draws the icons and the share picture in `app/public/` from the logo in `favicon.svg`. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';

const PUBLIC = join(import.meta.dirname, '..', 'app', 'public');
const INTER = join(
  import.meta.dirname,
  '..',
  'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
);
const GREEN = '#15803d';

/** A picture: its size and its HTML. */
interface Picture {
  name: string;
  width: number;
  height: number;
  body: string;
}

/** Returns the logo's lines alone, for a background in the logo's colour. */
function logoLines(logo: string): string {
  return logo.replace(/<rect[^>]*\/>/, '').replace(/<title>.*?<\/title>/, '');
}

/** The door of the logo, ajar. Flat colours keep the file small. */
const OPEN_DOOR = `<svg class="door" viewBox="0 0 1200 630" fill="none">
  <path d="M950 470h78l172 160H836Z" fill="#0f2c1d"/><path d="M720 470h480" stroke="#2b333f" stroke-width="2"/>
  <path d="M832 470V162a50 50 0 0 1 50-50h96a50 50 0 0 1 50 50v308Z" fill="#14532d"/>
  <path d="M832 470V162a50 50 0 0 1 60-49l54 19q18 6 18 26v278Z" fill="#151b25" stroke="#2b333f" stroke-width="2"/>
  <circle cx="942" cy="318" r="8" fill="#4ade80"/>
  <path d="M832 470V162a50 50 0 0 1 50-50h96a50 50 0 0 1 50 50v308" stroke="#4ade80" stroke-width="5"/></svg>`;

/** The logo takes `share` of the side, because masks cut off up to a fifth on each side. */
function icon(name: string, side: number, share: number, logo: string): Picture {
  const body = `<style>body{background:${GREEN};display:grid;place-items:center}svg{width:${side * share}px}</style>${logoLines(logo)}`;
  return { name, width: side, height: side, body };
}

function sharePicture(logo: string): Picture {
  const body = `<style>
    body{background:#0b0f17;color:#e8ecf3;font:600 68px/1.12 Inter;letter-spacing:-.03em;padding:84px;
      display:flex;flex-direction:column;position:relative}
    .door{position:absolute;inset:0}
    .brand{display:flex;align-items:center;gap:24px;font-size:44px;letter-spacing:-.015em}
    .brand svg{width:76px}
    p{margin:auto 0 0;width:660px;text-wrap:balance;position:relative}
  </style>${OPEN_DOOR}<div class="brand">${logo}Greenroom</div><p>A room of your own, behind one door.</p>`;
  return { name: 'share.png', width: 1200, height: 630, body };
}

async function draw(browser: Browser, { name, width, height, body }: Picture, font: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(
    `<style>@font-face{font-family:Inter;src:url(data:font/woff2;base64,${font});font-weight:100 900}
    *{box-sizing:border-box}body{margin:0;width:${width}px;height:${height}px}</style>${body}`,
  );
  await page.evaluate(() => document.fonts.ready);
  await writeFile(join(PUBLIC, name), await page.screenshot());
  await page.close();
}

const logo = await readFile(join(PUBLIC, 'favicon.svg'), 'utf8');
const font = await readFile(INTER, 'base64');
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const pictures = [
    icon('apple-touch-icon.png', 180, 0.86, logo),
    icon('icon-192.png', 192, 0.74, logo),
    icon('icon-512.png', 512, 0.74, logo),
    sharePicture(logo),
  ];
  for (const picture of pictures) await draw(browser, picture, font);
} finally {
  await browser.close();
}
