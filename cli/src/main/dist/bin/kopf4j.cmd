@echo off
rem Starts kopf4j from this distribution on Windows; the file beside it does so elsewhere.
rem
rem KOPF4J_JAVA_OPTS: further options of the JVM, e.g. -Xmx64m.
rem Exit codes: 0 done or stopped gracefully, 1 failure, 2 wrong usage, 3 no fitting JDK or no memory, 4 no operator,
rem 5 a check has found something.
rem
rem The JDK: JAVA_HOME, the java on the PATH, then the usual folders. There is no start-up cache here.
setlocal EnableExtensions DisableDelayedExpansion
set "wanted=25"
set "home=%~dp0.."
set "found="
set "jar="

if "%~1"=="warm-up" goto :nocache

for /f "delims=" %%F in ('dir /b "%home%\lib\kopf4j-cli-*.jar" 2^>nul') do set "jar=%home%\lib\%%F"
if not defined jar goto :nojar

if defined JAVA_HOME call :fits "%JAVA_HOME%"
for %%P in (java.exe) do if not defined found if not "%%~$PATH:P"=="" call :fits "%%~dp$PATH:P.."
call :look "%ProgramFiles%\Eclipse Adoptium" "jdk-*"
call :look "%ProgramFiles%\Java" "jdk-*"
call :look "%ProgramFiles%\Microsoft" "jdk-*"
call :look "%ProgramFiles%\Amazon Corretto" "jdk*"
call :look "%ProgramFiles%\Zulu" "zulu-*"
call :look "%ProgramFiles%\BellSoft" "LibericaJDK-*"
call :look "%USERPROFILE%\.jdks" "*"
call :look "%USERPROFILE%\.gradle\jdks" "*"
call :look "%USERPROFILE%\scoop\apps" "*jdk*"
if not defined found goto :nojdk

rem The options are those of the file beside, where their reasons stand.
set "collector=-XX:+UseSerialGC"
set | findstr /r /c:"JAVA_.*OPT.*=.*-XX:+Use[A-Za-z0-9]*GC[^A-Za-z0-9]" /c:"JAVA_.*OPT.*=.*-XX:+Use[A-Za-z0-9]*GC$" >nul 2>nul && set "collector="
set "options=%collector% -XX:TieredStopAtLevel=1 -XX:CICompilerCount=2 -Xss8m -XX:+IgnoreUnrecognizedVMOptions"
set "options=%options% -Xlog:disable -Xlog:all=warning:stderr --sun-misc-unsafe-memory-access=allow"
if "%~1"=="run" set "options=%options% -XX:+ExitOnOutOfMemoryError"
"%found%\bin\java.exe" %options% %KOPF4J_JAVA_OPTS% -jar "%jar%" %*
exit /b %ERRORLEVEL%

rem These are no blocks in parentheses, as a parenthesis in a path, such as that of Program Files (x86), would end them.
:nocache
echo kopf4j: there is no start-up cache on Windows, and nothing is to be warmed up.>&2
exit /b 2

:nojar
echo kopf4j: there is no kopf4j-cli-*.jar in "%home%\lib"; unpack the distribution as a whole.>&2
exit /b 1

:nojdk
echo kopf4j needs a JDK of version %wanted% or later (a JDK, not only a JRE: it compiles your sources).>&2
if defined JAVA_HOME echo   JAVA_HOME="%JAVA_HOME%" is none>&2
echo Install one, for example:>&2
echo   winget install EclipseAdoptium.Temurin.%wanted%.JDK>&2
echo If it is installed in another place, set JAVA_HOME to it.>&2
exit /b 3

rem Takes a JDK of the folders in %1 whose names are like %2.
:look
if defined found exit /b 0
for /f "delims=" %%D in ('dir /b /ad "%~1\%~2" 2^>nul') do (
    call :fits "%~1\%%D"
    call :fits "%~1\%%D\current"
)
exit /b 0

rem Takes the JDK at %1, unless there is one already, or it is none of the wanted version.
:fits
if defined found exit /b 0
if not exist "%~1\bin\java.exe" exit /b 0
if not exist "%~1\bin\javac.exe" exit /b 0
if not exist "%~1\release" exit /b 0
set "version="
for /f "usebackq tokens=1,2 delims==" %%K in ("%~1\release") do if "%%K"=="JAVA_VERSION" set "version=%%~L"
if not defined version exit /b 0
for /f "tokens=1 delims=.+-" %%M in ("%version%") do set "version=%%M"
if %version% GEQ %wanted% set "found=%~f1"
exit /b 0
