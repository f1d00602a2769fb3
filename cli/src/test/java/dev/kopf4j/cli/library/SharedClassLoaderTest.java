package dev.kopf4j.cli.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.OnCreate;
import dev.kopf4j.types.CustomResourceDefinitions;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("P05")
class SharedClassLoaderTest {
    private final SharedClassLoader loader = new SharedClassLoader(SharedClassLoaderTest.class.getClassLoader());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev.kopf4j.OnCreate",
                "dev.kopf4j.webhook.WebhookServer",
                "dev.kopf4j.types.CustomResourceDefinitions",
                "io.fabric8.kubernetes.client.KubernetesClient",
                "io.fabric8.kubernetes.api.model.Pod",
                "org.slf4j.Logger",
                "com.fasterxml.jackson.annotation.JsonProperty"
            })
    void operatorsSeeThePublicApiAndWhatItNames(String name) throws ClassNotFoundException {
        assertThat(Class.forName(name, false, loader).getClassLoader()).isSameAs(OnCreate.class.getClassLoader());
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.lang.String", "java.sql.Driver", "com.sun.source.tree.Tree"})
    void operatorsSeeTheJdk(String name) throws ClassNotFoundException {
        assertThat(Class.forName(name, false, loader)).isSameAs(Class.forName(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev.kopf4j.engine.OperatorAssembly",
                "dev.kopf4j.cli.Main",
                "com.google.common.collect.ImmutableList",
                "com.fasterxml.jackson.databind.ObjectMapper",
                "tools.jackson.databind.JsonNode",
                "org.antlr.v4.runtime.Parser",
                "picocli.CommandLine",
                "ch.qos.logback.classic.Logger",
                "org.eclipse.aether.RepositorySystem"
            })
    void operatorsSeeNothingElse(String name) throws ClassNotFoundException {
        assertThat(Class.forName(name, false, OnCreate.class.getClassLoader())).isNotNull();
        assertThatExceptionOfType(ClassNotFoundException.class).isThrownBy(() -> loader.loadClass(name));
        assertThat(loader.getResource(name.replace('.', '/') + ".class")).isNull();
    }

    @Test
    void implementationsAreThoseOfSharedInterfacesOnly() throws IOException {
        assertThat(loader.getResource("META-INF/services/io.fabric8.kubernetes.client.http.HttpClient$Factory"))
                .isNotNull();
        assertThat(loader.getResources("META-INF/services/jakarta.servlet.ServletContainerInitializer")
                        .hasMoreElements())
                .isFalse();
        assertThat(loader.getResource("META-INF/MANIFEST.MF")).isNull();
    }

    @Test
    void whatModulesExportToAllIsShared() throws URISyntaxException {
        assertThat(exported(OnCreate.class))
                .containsExactlyInAnyOrderElementsOf(
                        SharedLibrary.API.packages().toList());
        assertThat(exported(CustomResourceDefinitions.class))
                .containsExactlyInAnyOrderElementsOf(
                        SharedLibrary.TYPES.packages().toList());
    }

    private static Set<String> exported(Class<?> one) throws URISyntaxException {
        Path place =
                Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
        return ModuleFinder.of(place).findAll().stream()
                .flatMap(module -> module.descriptor().exports().stream())
                .filter(exports -> !exports.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toSet());
    }
}
