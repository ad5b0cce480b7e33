interface Props {
  size?: number;
}

/** The mark: a console key with its lamp. The same drawing as public/favicon.svg. */
export function Logo({ size = 24 }: Props) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#0f766e" />
      <path
        d="M10.5 25V8h7.25a5.75 5.75 0 0 1 0 11.5h-3"
        fill="none"
        stroke="#fff"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="22" cy="24" r="2.5" fill="#5eead4" />
    </svg>
  );
}
