package dev.kopf4j.devcluster.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;

/** For which tests a cluster runs; with a program that does no more than say that it is one. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a script")
class DevClusterExtensionTest {
    @TempDir
    private Path folder;

    private Path program() throws IOException {
        Path file = Files.writeString(folder.resolve("kopf4j-devcluster"), """
                #!/bin/sh
                while [ $# -gt 0 ]; do
                    [ "$1" != --kubeconfig ] || file=$2
                    shift
                done
                echo '{}' > "$file"
                echo "export KUBECONFIG=$file"
                exec cat
                """);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    private static ExtensionContext context(String id) {
        return (ExtensionContext) Proxy.newProxyInstance(
                ExtensionContext.class.getClassLoader(),
                new Class<?>[] {ExtensionContext.class},
                (proxy, method, arguments) -> method.getName().equals("getUniqueId") ? id : null);
    }

    @Test
    void theClusterOfAClassOutlivesTheNestedClasses() throws IOException {
        DevClusterExtension extension =
                new DevClusterExtension(LaunchOptions.defaults().program(program()));
        extension.beforeAll(context("class"));
        DevClusterProcess first = extension.cluster();
        for (String nested : new String[] {"one", "two"}) {
            extension.beforeAll(context(nested));
            extension.afterAll(context(nested));
            assertThat(extension.cluster()).isSameAs(first);
            assertThat(first.isRunning()).isTrue();
        }
        extension.afterAll(context("class"));
        assertThat(first.isRunning()).isFalse();

        extension.beforeAll(context("other class"));
        DevClusterProcess second = extension.cluster();
        assertThat(second).isNotSameAs(first);
        extension.afterAll(context("other class"));
        assertThat(second.isRunning()).isFalse();
    }
}
