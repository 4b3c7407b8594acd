@echo off
rem Starts Plant4j. In a checkout it builds it first if it is not built yet, or if its sources have changed; in a
rem distribution (bin\plant.cmd) it is built already.
rem   PLANT_JAVA_OPTS  options for Java, such as -Xmx8g
rem   PLANT_CUDA       1 builds for CUDA (as does a leading -Pcuda), 0 for the CPU
setlocal EnableExtensions DisableDelayedExpansion
set "ROOT=%~dp0"
set "TARGET=%ROOT%app\target"
set "LIB=%TARGET%\lib"
set "STAMP=%TARGET%\.plant-built"
set "ARCHIVE=%TARGET%\plant.jsa"
set ARGUMENTS=%*
if not "%~1"=="-Pcuda" goto java
set "PLANT_CUDA=1"
set "ARGUMENTS="
for /f "tokens=1*" %%a in ("%*") do set ARGUMENTS=%%b

:java
set "JAVA=java"
if not defined JAVA_HOME goto version
set "JAVA=%JAVA_HOME%\bin\java.exe"
if exist "%JAVA%" goto version
call :fail "Java not found" "JAVA_HOME=%JAVA_HOME%" "point JAVA_HOME at a JDK 17 or newer, or unset it"
exit /b 2

:version
set "VERSION="
set "MAJOR=0"
set "FILE=%TEMP%\plant-java-%RANDOM%%RANDOM%.txt"
"%JAVA%" -version >"%FILE%" 2>&1
if errorlevel 1 goto nojava
for /f "usebackq tokens=1-3" %%a in ("%FILE%") do if "%%b"=="version" set "VERSION=%%~c"
del "%FILE%"
set "NUMBER=%VERSION%"
if "%VERSION:~0,2%"=="1." set "NUMBER=%VERSION:~2%"
for /f "delims=.-+_" %%a in ("%NUMBER%") do set "MAJOR=%%a"
if %MAJOR% GEQ 17 goto installed
call :fail "Java %VERSION% is too old" "%JAVA%" "install a JDK 17 or newer, and set JAVA_HOME to it"
exit /b 2
:nojava
del "%FILE%"
call :fail "Java not found" "PATH" "install a JDK 17 or newer, for example from https://adoptium.net"
exit /b 2

:installed
if not exist "%ROOT%..\lib\plant.jar" goto checkout
set "LIB=%ROOT%..\lib"
set "ARCHIVE=%LIB%\plant.jsa"
if exist "%ARCHIVE%" goto run
if /i not "%~1"=="doctor" goto run
echo Archiving classes for faster starts ... 1>&2
call :archive
goto run

:checkout
set "BUILT="
if exist "%STAMP%" set /p BUILT=<"%STAMP%"
set "ENGINE=cpu"
if defined BUILT set "ENGINE=%BUILT%"
if defined PLANT_CUDA set "ENGINE=cuda"
for %%n in (0 false no) do if /i "%PLANT_CUDA%"=="%%n" set "ENGINE=cpu"
if not exist "%LIB%\plant.jar" goto build
if not "%BUILT%"=="%ENGINE%" goto build
rem Exit code 1: a source is newer than the build.
powershell -NoProfile -Command "$built = (Get-Item -Force -LiteralPath $env:STAMP).LastWriteTimeUtc; Set-Location -LiteralPath $env:ROOT; $sources = @(Get-Item pom.xml, native\pom.xml, native\*\pom.xml, core\pom.xml, app\pom.xml) + @(Get-ChildItem -Recurse -File core\src\main, app\src\main, models\*\src, experiments); exit [int][bool]($sources | Where-Object { $_.LastWriteTimeUtc -gt $built } | Select-Object -First 1)"
if not errorlevel 1 goto run

:build
set "MAVEN=%ROOT%mvnw.cmd"
for %%m in (mvn.cmd) do if not "%%~$PATH:m"=="" set "MAVEN=%%~$PATH:m"
set "PROFILE="
if "%ENGINE%"=="cuda" set "PROFILE=-Pcuda"
if defined BUILT (echo Building Plant4j because its sources have changed ... 1>&2) else (echo Building Plant4j, a minute or two; the first time it downloads libtorch ... 1>&2)
if not exist "%TARGET%" mkdir "%TARGET%"
del /q "%STAMP%" "%ARCHIVE%" "%LIB%\plant.jar" "%LIB%\plant4j-*.jar" 2>nul
>"%STAMP%.new" echo %ENGINE%
rem Without the module spark, which would download Spark.
call "%MAVEN%" -q -B -f "%ROOT%pom.xml" -pl app -am -Dmaven.test.skip=true -Dspotless.check.skip -Dforbiddenapis.skip -Dmaven.jar.forceCreation=true %PROFILE% package 1>&2
if errorlevel 1 goto failed
call :archive
move /y "%STAMP%.new" "%STAMP%" >nul
goto run
:failed
call :fail "Plant4j could not be built" "%ROOT%pom.xml" "end other processes of Plant4j and fix the error that Maven reports above; the first build needs a network connection"
exit /b 1

:run
if not defined GOMP_SPINCOUNT set "GOMP_SPINCOUNT=1000"
if not defined OPENBLAS_THREAD_TIMEOUT set "OPENBLAS_THREAD_TIMEOUT=4"
rem Windows has no cheap test for a terminal; Java's console as before version 22 detects it.
rem Methods are compiled after five times the usual number of calls: most that a start calls are not worth it.
set "OPTIONS=-Dorg.bytedeco.javacpp.maxPhysicalBytes=0 -Djdk.console=java.base -XX:CompileThresholdScaling=5 -XX:Tier4InvocationThreshold=25000 -XX:Tier4MinInvocationThreshold=3000 -XX:Tier4CompileThreshold=75000 -XX:Tier4BackEdgeThreshold=200000"
if %MAJOR% GEQ 22 set "OPTIONS=%OPTIONS% --enable-native-access=ALL-UNNAMED"
set SHARED=
if exist "%ARCHIVE%" set SHARED="-XX:SharedArchiveFile=%ARCHIVE%" -Xlog:disable -Xlog:all=error:stderr
"%JAVA%" %OPTIONS% %SHARED% %PLANT_JAVA_OPTS% -jar "%LIB%\plant.jar" %ARGUMENTS%
exit /b %errorlevel%

:archive
rem An archive of loaded classes halves the time of every later start; without it Java starts as usual.
"%JAVA%" "-XX:ArchiveClassesAtExit=%ARCHIVE%" -Xlog:disable -jar "%LIB%\plant.jar" rehearse >nul 2>&1
exit /b 0

:fail
echo %~1 1>&2
echo   where: %~2 1>&2
echo   remedy: %~3 1>&2
exit /b 0
