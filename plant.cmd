@echo off
rem Starts Plant4j. Builds it on first use; after changing sources, delete app\target\plant.jar.
setlocal
set "ROOT=%~dp0"
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java"
"%JAVA%" -version >nul 2>&1
if errorlevel 1 (
    echo Java not found. Install a JDK 17 or newer and set JAVA_HOME to it. 1>&2
    exit /b 2
)
if exist "%ROOT%app\target\plant.jar" goto run
where mvn >nul 2>&1
if errorlevel 1 (
    echo Maven not found; it is needed to build Plant4j once. Install Maven 3.8 or newer. 1>&2
    exit /b 2
)
echo Building Plant4j (a minute or two; the first time it downloads libtorch) ... 1>&2
set "PROFILE="
if "%PLANT_CUDA%"=="1" set "PROFILE=-Pcuda"
call mvn -q -B -f "%ROOT%pom.xml" -pl core,app -Dmaven.test.skip=true -Dspotless.check.skip -Dforbiddenapis.skip %PROFILE% package 1>&2
if errorlevel 1 (
    if exist "%ROOT%app\target\plant.jar" del "%ROOT%app\target\plant.jar"
    echo Plant4j could not be built: fix the error that Maven reports above. 1>&2
    exit /b 1
)
:run
if not defined GOMP_SPINCOUNT set "GOMP_SPINCOUNT=1000"
if not defined OPENBLAS_THREAD_TIMEOUT set "OPENBLAS_THREAD_TIMEOUT=4"
rem Windows has no cheap test for a terminal; Java's console as before version 22 detects it.
"%JAVA%" -Dorg.bytedeco.javacpp.maxPhysicalBytes=0 -Djdk.console=java.base %PLANT_JAVA_OPTS% -jar "%ROOT%app\target\plant.jar" %*
exit /b %errorlevel%
