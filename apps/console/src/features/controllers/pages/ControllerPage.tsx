interface Props {
  organizationId: string;
  serialNumber: string;
}

export function ControllerPage(_: Props) {
  return null;
}
