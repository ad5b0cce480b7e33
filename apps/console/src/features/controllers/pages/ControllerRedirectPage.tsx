interface Props {
  serialNumber: string;
}

export function ControllerRedirectPage(_: Props) {
  return null;
}
