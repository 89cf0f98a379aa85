; The installer for Windows, made with Inno Setup 6 by `python .ci/packages.py make setup OUT`, which gives the values
; of Version, Source (the folder dist\tengen) and Icon. It installs for one user, or for all who agree to.
[Setup]
AppId={{6B0B1C6E-5D0A-4B52-9A5E-7E0C53A6F1D4}
AppName=Tengen
AppVersion={#Version}
AppPublisher=The Tengen authors
DefaultDirName={autopf}\Tengen
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
LicenseFile={#Source}\_internal\LICENSE
SetupIconFile={#Icon}
UninstallDisplayIcon={app}\tengen.exe
ChangesAssociations=yes
CloseApplications=yes
Compression=lzma2/max
SolidCompression=yes
WizardStyle=modern

[InstallDelete]
; What an older version had there and this one has not would be found first.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Source}\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{autoprograms}\Tengen"; Filename: "{app}\tengen.exe"

[Registry]
; "Open with" offers Tengen; what opens a file by default is the user's choice.
Root: HKA; Subkey: "Software\Classes\Tengen.Game"; ValueType: string; ValueData: "Tengen game"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Tengen.Game\DefaultIcon"; ValueType: string; ValueData: "{app}\tengen.exe,0"
Root: HKA; Subkey: "Software\Classes\Tengen.Game\shell\open\command"; ValueType: string; ValueData: """{app}\tengen.exe"" ""%1"""
Root: HKA; Subkey: "Software\Classes\.sgf\OpenWithProgids"; ValueType: string; ValueName: "Tengen.Game"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.psq\OpenWithProgids"; ValueType: string; ValueName: "Tengen.Game"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.lib\OpenWithProgids"; ValueType: string; ValueName: "Tengen.Game"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.rif\OpenWithProgids"; ValueType: string; ValueName: "Tengen.Game"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.json\OpenWithProgids"; ValueType: string; ValueName: "Tengen.Game"; Flags: uninsdeletevalue

[Run]
Filename: "{app}\tengen.exe"; Description: "{cm:LaunchProgram,Tengen}"; Flags: nowait postinstall skipifsilent
