package dev.kopf4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnKubeconfigTest {
    @Test
    void knowsItsOwnKubeconfigsAgain() {
        var own = OwnKubeconfig.of(Options.defaults().names(List.of("ci.example.com")));

        assertThat(own.describes(ownKubeconfig())).isTrue();
        assertThat(own.describes(ownKubeconfig().replaceFirst("server: .*", "server: https://ci.example.com:6443")))
                .isTrue();
        assertThat(own.describes(ownKubeconfig().replaceFirst("server: .*", "server: https://[::1]:6443")))
                .isTrue();
    }

    private static String ownKubeconfig() {
        try (var cluster = DevCluster.start(Options.defaults().https(true))) {
            return cluster.kubeconfig();
        }
    }
}
