interface Props {
  token?: string | undefined;
}

export function AddControllerPage(_: Props) {
  return null;
}
