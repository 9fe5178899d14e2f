/** Name and logo of the product; those of Greenroom are a door, for the room behind it. */
import { Link } from 'react-router';
import { usePage } from '../lib/page/page-context.tsx';
import { useSiteName } from '../texts/use-texts.ts';
import { publicFile } from './public-file.ts';

/** The logo without the name. */
export function BrandLogo({ className = 'size-7' }: { className?: string }) {
  const { config } = usePage();
  const logo = config.site?.logo;
  if (logo !== undefined) {
    return <img src={publicFile(config, logo)} alt="" className={`shrink-0 object-contain ${className}`} />;
  }
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={`shrink-0 ${className}`}>
      <rect width="32" height="32" rx="8" className="fill-solid" />
      <g className="stroke-on-solid" fill="none" strokeWidth="2.2" strokeLinecap="round">
        <path d="M10 25V9.5A2.5 2.5 0 0 1 12.5 7h7A2.5 2.5 0 0 1 22 9.5V25M7 25h18" />
      </g>
      <circle cx="18.3" cy="16.5" r="1.5" className="fill-on-solid" />
    </svg>
  );
}

/** Logo and name, as a link home. */
export function BrandLink() {
  const name = useSiteName();
  return (
    <Link
      to="/"
      className="flex w-fit items-center gap-2.5 rounded-control text-[0.9375rem] font-semibold tracking-tight"
    >
      <BrandLogo />
      {name}
    </Link>
  );
}
