package dev.kopf4j.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.fabric8.Fabric8Integration;
import java.io.File;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An operator that is a module, with its libraries on the module path. */
@Timeout(60)
class ModulePathTest {
    private static final Pattern MODULE_NAME = Pattern.compile("<Automatic-Module-Name>(.*)</Automatic-Module-Name>");

    /** The libraries of core and fabric8; others are for tests. */
    private static final Pattern LIBRARIES = Pattern.compile(
            "(kubernetes-|jackson-|slf4j-api|jspecify|httpcore5|snakeyaml|zjsonpatch|kopf4j-(base|core)-).*\\.jar");

    private static final String MODULE = """
            open module app {
                requires dev.kopf4j.core;
                requires dev.kopf4j.fabric8;
                requires kubernetes.client.api;
                exports app;
            }
            """;

    private static final String APP = """
            package app;

            import dev.kopf4j.*;
            import io.fabric8.kubernetes.client.KubernetesClient;
            import java.util.function.Consumer;

            public record App(Consumer<Object> seen) {
                public static AutoCloseable start(String server, String token, Consumer<Object> seen) {
                    return Operator.builder()
                            .handlers(new App(seen))
                            .clusterwide()
                            .connection(ConnectionInfo.builder(server).token(token).build())
                            .build()
                            .start();
                }

                @OnCreate("configmaps")
                public void made(KubernetesClient client, String name) {
                    seen.accept(client.configMaps().inNamespace("default").withName(name).get().getMetadata().getName());
                }
            }
            """;

    @TempDir
    private Path folder;

    @Test
    void aHandlerOfAModuleHasTheClient() throws Exception {
        List<Path> path = modulePath();
        path.add(compile(path));
        ModuleFinder finder = ModuleFinder.of(path.toArray(Path[]::new));
        Set<String> all = finder.findAll().stream() // as `--add-modules ALL-MODULE-PATH` has it
                .map(each -> each.descriptor().name())
                .collect(Collectors.toSet());
        Configuration resolved = ModuleLayer.boot().configuration().resolveAndBind(finder, ModuleFinder.of(), all);
        ClassLoader loader = ModuleLayer.boot()
                .defineModulesWithOneLoader(resolved, ClassLoader.getPlatformClassLoader())
                .findLoader("app");
        BlockingQueue<Object> seen = new LinkedBlockingQueue<>();
        Consumer<Object> add = seen::add;
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(loader); // by which fabric8 looks for the client
        try (DevCluster cluster = DevCluster.start(Options.defaults().https(false));
                var _ = (AutoCloseable) loader.loadClass("app.App")
                        .getMethod("start", String.class, String.class, Consumer.class)
                        .invoke(null, cluster.url(), cluster.token(), add)) {
            cluster.apply("""
                    {apiVersion: v1, kind: ConfigMap, metadata: {name: one, namespace: default}}""");
            assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo("one");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private List<Path> modulePath() throws Exception {
        List<Path> path = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .filter(each -> LIBRARIES.matcher(each.getFileName().toString()).matches()
                        || (Files.exists(each.resolve("module-info.class"))
                                && each.toString().matches(".*[/\\\\](base|core)[/\\\\]target[/\\\\]classes")))
                .collect(Collectors.toList());
        path.add(fabric8());
        return path;
    }

    /** What Maven makes of the classes and the manifest of fabric8; classes in a folder alone are no module. */
    private Path fabric8() throws Exception {
        Path classes = Path.of(Fabric8Integration.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        if (Files.isRegularFile(classes)) {
            return classes;
        }
        Matcher name = MODULE_NAME.matcher(Files.readString(Path.of("../fabric8/pom.xml")));
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (name.find()) {
            manifest.getMainAttributes().putValue("Automatic-Module-Name", name.group(1));
        }
        Path jar = folder.resolve("kopf4j-fabric8-1.jar");
        try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(
                        new ZipEntry(classes.relativize(file).toString().replace(File.separatorChar, '/')));
                Files.copy(file, out);
            }
        }
        return jar;
    }

    private Path compile(List<Path> path) throws IOException {
        Path sources = Files.createDirectories(folder.resolve("sources/app"));
        Path module = Files.writeString(folder.resolve("sources/module-info.java"), MODULE);
        Path app = Files.writeString(sources.resolve("App.java"), APP);
        Path classes = folder.resolve("classes");
        int status = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        System.out,
                        System.err,
                        "-parameters",
                        "-proc:none",
                        "-d",
                        classes.toString(),
                        "--module-path",
                        path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)),
                        module.toString(),
                        app.toString());
        assertThat(status).isZero();
        return classes;
    }
}
