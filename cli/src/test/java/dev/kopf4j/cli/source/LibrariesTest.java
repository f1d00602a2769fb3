package dev.kopf4j.cli.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.cli.process.CommandException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jars that are not made for kopf4j, beside an operator. */
class LibrariesTest {
    private static final String HANDLER = "@dev.kopf4j.OnCreate(\"pods\") public void fn() {}";

    @TempDir
    private Path folder;

    private UserLibrary library;

    @BeforeEach
    void prepare() {
        library = new UserLibrary(folder);
    }

    private static List<String> load(List<Path> files, List<String> names, List<Path> libraries) {
        return new OperatorSources(files, names, libraries)
                .load(new PrintWriter(new StringWriter())).handlers().stream()
                        .<String>map(Class::getName)
                        .toList();
    }

    private static List<String> load(Path... files) {
        return load(List.of(files), List.of(), List.of());
    }

    private Path source(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"guava", "commons-compress", "logback-classic"})
    @Tag("P01")
    void librariesWithClassesThatCannotBeLoadedDoNotEndTheRun(String artifact) throws IOException {
        Path operator = source("Example.java", "class Example { " + HANDLER + " }");

        assertThat(load(operator, UserLibrary.real(artifact))).containsExactly("Example");
    }

    @Test
    @Tag("P01")
    void aShadedJarIsAnOperator() throws IOException {
        Path classes = library.classes("ops", Map.of("Op", "package ops; public class Op { " + HANDLER + " }"));
        Path shaded = library.jar("shaded.jar", classes, UserLibrary.real("commons-compress"));

        assertThat(load(shaded)).containsExactly("ops.Op");
    }

    @Test
    @Tag("P01")
    void anApplicationIsRunBesideItsLibraries() throws IOException {
        Path guava = UserLibrary.real("guava");
        Path app = library.jar(
                "app.jar",
                library.classes(
                        "app",
                        Map.of(
                                "App",
                                "public class App extends com.google.common.collect.ForwardingObject {"
                                        + " protected Object delegate() { return this; } " + HANDLER + " }"),
                        guava));

        assertThat(load(app, guava, UserLibrary.real("logback-classic"))).containsExactly("App");
    }

    @Test
    void handlersMayBeInheritedFromAnotherJar() throws IOException {
        Path base =
                library.classes("base", Map.of("Base", "package base; public abstract class Base { " + HANDLER + " }"));
        Path derived = library.classes(
                "derived", Map.of("Derived", "public class Derived extends base.Base { class Inner {} }"), base);
        Path baseJar = library.jar("base.jar", base);

        assertThat(load(List.of(derived), List.of(), List.of(baseJar))).containsExactly("Derived");
    }

    private static final String OF_INTERFACES = """
            interface Common { @dev.kopf4j.OnCreate("pods") default void shared() {} }
            interface More extends Common {}
            interface Tools { @dev.kopf4j.OnCreate("pods") static void fn() {} }
            class Own { @dev.kopf4j.OnCreate("pods") void own() {} }
            class Deep implements More {}
            class Deeper extends Deep {}
            class Silenced implements More { @Override public void shared() {} }
            class None implements Tools {}
            """;

    /** As the operator finds them: a class is found by whatever is a handler of it there, and by nothing else. */
    @Test
    void defaultMethodsOfInterfacesMakeHandlerClassesOfSourcesAndJars() throws IOException {
        Path jar = library.jar("ops.jar", library.classes("ops", Map.of("Own", OF_INTERFACES)));

        assertThat(load(source("Own.java", OF_INTERFACES))).containsExactlyInAnyOrder("Own", "Deep", "Deeper", "Tools");
        assertThat(load(jar)).containsExactlyInAnyOrder("Own", "Deep", "Deeper", "Tools");
    }

    private static final String STATIC = """
            abstract class Shared { @dev.kopf4j.OnDelete("pods") static void cleanUp() {} }
            abstract class Inherited { @dev.kopf4j.OnDelete("pods") static void cleanUp() {} }
            class Heir extends Inherited {}
            abstract class Library { @dev.kopf4j.OnDelete("pods") void ofNobody() {} }
            @dev.kopf4j.ExplicitRegistration abstract class Explicit { @dev.kopf4j.OnDelete("pods") static void fn() {} }
            """;

    /** An abstract class of the sources that nobody extends is taken, too, so that the operator refuses it. */
    @Test
    void staticHandlersOfAbstractClassesNeedNoClassThatExtendsThem() throws IOException {
        Path jar = library.jar("ops.jar", library.classes("ops", Map.of("Shared", STATIC)));

        assertThat(load(source("Shared.java", STATIC))).containsExactlyInAnyOrder("Shared", "Heir", "Library");
        assertThat(load(jar)).containsExactlyInAnyOrder("Shared", "Heir");
    }

    private static final String STATIC_ABOVE_STATIC = """
            abstract class Above { @dev.kopf4j.OnDelete("pods") static void gone() {} }
            abstract class Below extends Above { @dev.kopf4j.OnCreate("pods") static void made() {} }
            interface Mixed {
                @dev.kopf4j.OnCreate("pods") default void mixed() {}
                @dev.kopf4j.OnDelete("pods") static void ofMixed() {}
            }
            class Mixing implements Mixed {}
            abstract class Both {
                @dev.kopf4j.OnCreate("pods") void made() {}
                @dev.kopf4j.OnDelete("pods") static void ofBoth() {}
            }
            """;

    /** A type of the sources with a handler that nobody could call is taken, so that the operator tells the way out. */
    @Test
    void ofAbstractClassesThatExtendEachOtherTheLastOneIsTaken() throws IOException {
        assertThat(load(source("Above.java", STATIC_ABOVE_STATIC)))
                .containsExactlyInAnyOrder("Below", "Mixed", "Mixing", "Both");
    }

    @Test
    void staticHandlersOfAJarBesideThoseThatNeedAnInstanceAreTold() throws IOException {
        Path jar = library.jar("ops.jar", library.classes("ops", Map.of("Above", STATIC_ABOVE_STATIC)));

        assertThat(load(jar)).containsExactlyInAnyOrder("Below", "Mixing");
        assertThat(new OperatorSources(List.of(jar), List.of(), List.of())
                        .load(new PrintWriter(new StringWriter()))
                        .warnings())
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line)
                                .startsWith("warning: the static handler Mixed.ofMixed() is not called, as other"
                                        + " handlers of Mixed need an instance"),
                        line -> assertThat(line).startsWith("warning: the static handler Both.ofBoth() is not called"));
    }

    @Test
    void handlersOfClassesWithoutANameAreTold() throws IOException {
        Path file = source("Holder.java", """
                class Holder {
                    static final Object HELD = new Object() { @dev.kopf4j.OnDelete("pods") void gone() {} };
                    void local() { class Local { @dev.kopf4j.OnDelete("pods") void gone() {} } }
                    @dev.kopf4j.OnCreate("pods") void made() {}
                }
                """);
        StringWriter told = new StringWriter();
        new OperatorSources(List.of(file), List.of(), List.of()).load(new PrintWriter(told, true));

        assertThat(told.toString().lines())
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line)
                                .startsWith("warning: the handlers of Holder$1, an anonymous class, are not called"),
                        line -> assertThat(line)
                                .startsWith(
                                        "warning: the handlers of Holder$1Local, a class inside a method, are not"));
    }

    private static final String FORGETFUL = """
            interface Contract { @dev.kopf4j.OnCreate("pods") void made(); }
            class Forgetful implements Contract { @Override public void made() {} }
            """;

    @Test
    void classesThatLoseAnAnnotationAreFoundSoThatTheOperatorRefusesThem() throws IOException {
        Path jar = library.jar("ops.jar", library.classes("ops", Map.of("Forgetful", FORGETFUL)));

        assertThat(load(source("Forgetful.java", FORGETFUL))).containsExactly("Forgetful");
        assertThat(load(jar)).containsExactly("Forgetful");
    }

    @Test
    void classesThatAreRegisteredOtherwiseAreLeftOutOfJars() throws IOException {
        Path jar = library.jar("ops.jar", library.classes("ops", Map.of("Op", """
                public class Op {
                    @dev.kopf4j.ExplicitRegistration public static class One { @dev.kopf4j.OnCreate("pods") void fn() {} }
                    public static class Two extends One {}
                    public static class Three { @dev.kopf4j.OnCreate("pods") void fn() {} }
                    Object inMethod() { return new Three() {}; }
                }
                """)));

        assertThat(load(jar)).containsExactly("Op$Three");
    }

    @Test
    @Tag("P02")
    void aHandlerWhoseLibraryIsMissingIsNamedWithTheWayOut() throws IOException {
        Path needed = library.classes("needed", Map.of("Needed", "package needed; public class Needed {}"));
        Path jar = library.jar(
                "ops.jar",
                library.classes(
                        "ops",
                        Map.of(
                                "Op",
                                "public class Op { @dev.kopf4j.OnCreate(\"pods\") void fn() {} needed.Needed it() { return null; } }"),
                        needed));

        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> load(jar))
                .withMessageContainingAll(
                        "Cannot load the class Op of " + jar,
                        "it needs needed.Needed, which is in none of the given jars and folders",
                        "--classpath",
                        "//DEPS group:artifact:version")
                .satisfies(failure -> assertThat(failure.exitCode()).isEqualTo(4));
        assertThat(load(List.of(jar), List.of(), List.of(needed))).containsExactly("Op");
    }

    @Test
    @Tag("P02")
    void aHandlerOfALaterJavaIsNotPassedBy() throws IOException {
        Path classes = library.classes("ops", Map.of("Op", "public class Op { " + HANDLER + " }"));
        Path file = classes.resolve("Op.class");
        byte[] bytes = Files.readAllBytes(file);
        bytes[7] = (byte) 200;
        Files.write(file, bytes);

        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> load(classes))
                .withMessageContainingAll("Cannot load the class Op", "200.0");
    }

    @Test
    @Tag("P03")
    void foldersOfSourcesAreCompiledAndHaveResources() throws IOException {
        source("src/a/Zero.java", "package a; class Zero { " + HANDLER + " }");
        source("src/a/b/One.java", "package a.b; class One { " + HANDLER + " }");
        source("src/texts/greeting.txt", "hello");
        source("src/a/package-info.java", "package a;");
        source("src/module-info.java", "module a { requires dev.kopf4j.core; opens a to dev.kopf4j.core; }");

        var loaded = new OperatorSources(List.of(folder.resolve("src")), List.of(), List.of())
                .load(new PrintWriter(new StringWriter()));
        assertThat(loaded.handlers()).extracting(Class::getName).containsExactly("a.Zero", "a.b.One");
        assertThat(loaded.loading().loader().getResource("texts/greeting.txt")).isNotNull();
        assertThat(loaded.sources()).hasSize(3);
    }

    @Test
    @Tag("P03")
    void theResourcesBesideTheSourcesOfABuildToolAreTakenAlong() throws IOException {
        Path text = source("src/main/resources/texts/greeting.txt", "hello");
        source("src/main/java/One.java", "class One { " + HANDLER + " }");
        Path java = folder.resolve("src/main/java");

        var sources = new OperatorSources(List.of(java), List.of(), List.of());
        var loaded = sources.load(new PrintWriter(new StringWriter()));
        assertThat(loaded.loading().loader().getResource("texts/greeting.txt")).isNotNull();
        Path resources = folder.resolve("src/main/resources");
        assertThat(sources.files(new PrintWriter(new StringWriter())).resources())
                .containsExactly(java, resources);
        assertThat(sources.watched()).containsExactly(java, resources);
        assertThat(text).startsWith(resources);
    }

    @Test
    @Tag("P03")
    void resourcesBesideOtherFoldersAreNot() throws IOException {
        source("resources/texts/greeting.txt", "hello");
        source("java/One.java", "class One { " + HANDLER + " }");

        var sources = new OperatorSources(List.of(folder.resolve("java")), List.of(), List.of());
        assertThat(sources.files(new PrintWriter(new StringWriter())).resources())
                .containsExactly(folder.resolve("java"));
    }

    @Test
    @Tag("P03")
    void anExecutableJarOfSpringBootIsRefusedWithTheWayOut() throws IOException {
        Path classes = library.classes("boot", Map.of("Op", "public class Op { " + HANDLER + " }"));
        Path inside = Files.createDirectories(folder.resolve("made/BOOT-INF"));
        Files.move(classes, inside.resolve("classes"));
        Path jar = library.jar("boot.jar", folder.resolve("made"));

        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> load(jar))
                .withMessage(jar + " is an executable jar of Spring Boot, of which only itself can load classes. Unpack"
                        + " it (jar --extract --file " + jar
                        + " --dir unpacked), and name unpacked/BOOT-INF/classes instead, with"
                        + " --classpath unpacked/BOOT-INF/lib.");
    }

    @Test
    @Tag("P03")
    void foldersOfJarsAreTheirJars() throws IOException {
        Path lib = Files.createDirectories(folder.resolve("lib"));
        Path op = library.jar("op.jar", library.classes("op", Map.of("Op", "public class Op { " + HANDLER + " }")));
        Files.move(op, lib.resolve("op.jar"));

        assertThat(load(lib)).containsExactly("Op");
        Path source = source("Mine.java", "class Mine extends Op {}");
        assertThat(load(List.of(source), List.of(), List.of(lib))).containsExactly("Mine");
    }

    @Test
    @Tag("P03")
    void aFolderWithNothingOfUseIsRefused() throws IOException {
        Path empty = Files.createDirectories(folder.resolve("empty"));

        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> load(empty))
                .withMessage("The folder " + empty + " has neither Java source files, nor classes, nor jars.");
    }

    @Test
    @Tag("P04")
    void namesChooseAmongTheClassesOfFoldersOfSourcesToo() throws IOException {
        source("src/a/One.java", "package a; class One { " + HANDLER + " }");
        source("src/a/Two.java", "package a; class Two { static class Inner { " + HANDLER + " } }");
        Path file = source("File.java", "class File { " + HANDLER + " }");
        Path src = folder.resolve("src");

        assertThat(load(List.of(src), List.of("a.Two"), List.of())).containsExactly("a.Two$Inner");
        assertThat(load(List.of(src, file), List.of("a"), List.of())).containsExactly("File", "a.One", "a.Two$Inner");
        assertThat(load(List.of(file), List.of("File"), List.of())).containsExactly("File");
        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> load(List.of(src), List.of("a.Three"), List.of()))
                .withMessageContaining("There is no class and no package a.Three");
    }

    @Test
    @Tag("P04")
    void namedClassesMayBeInLibraries() throws IOException {
        Path jar = library.jar("op.jar", library.classes("op", Map.of("Op", "public class Op { " + HANDLER + " }")));
        Path file = source("File.java", "class File { " + HANDLER + " }");

        assertThat(load(List.of(file), List.of(), List.of(jar))).containsExactly("File");
        assertThat(load(List.of(file), List.of("Op"), List.of(jar))).containsExactly("File", "Op");
    }
}
