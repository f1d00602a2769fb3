package dev.kopf4j.devcluster.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.KubernetesVersion;
import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.BuiltinResources;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.ServedVersions;
import dev.kopf4j.devcluster.types.BuiltinTypes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** What an API server of each version of Kubernetes tells of itself; the rest is the same in all versions. */
class KubernetesVersionsTest {
    private static InMemory cluster(KubernetesVersion version, String... runtimeConfig) {
        return new InMemory(options -> options.kubernetesVersion(version).runtimeConfig(List.of(runtimeConfig)));
    }

    private static InMemory cluster(String version, String runtimeConfig) {
        return cluster(KubernetesVersion.of(version), runtimeConfig.split(" ", -1));
    }

    @ParameterizedTest
    @EnumSource
    void tellsTheVersion(KubernetesVersion version) {
        InMemory cluster = cluster(version);
        JsonNode told = cluster.get("/version");
        assertThat(Json.string(told, "major")).isEqualTo("1");
        assertThat(Json.string(told, "minor")).isEqualTo(version.toString().substring(2));
        assertThat(Json.string(told, "gitVersion")).isEqualTo("v" + version + ".0-devcluster");
        assertThat(cluster.get("/openapi/v2").at("/info/version").asString()).isEqualTo("v" + version + ".0");
        assertThat(cluster.get("/openapi/v3/api/v1").at("/info/version").asString())
                .isEqualTo("v" + version + ".0");
    }

    /** By {@code pkg/controlplane/instance.go} of these versions, and the lifecycles of the types. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "networking.k8s.io/v1 ipaddresses                           | 1.33 1.34",
                "networking.k8s.io/v1 servicecidrs                          | 1.33 1.34",
                "networking.k8s.io/v1 ingresses                             | 1.31 1.32 1.33 1.34",
                "flowcontrol.apiserver.k8s.io/v1 flowschemas                | 1.31 1.32 1.33 1.34",
                "flowcontrol.apiserver.k8s.io/v1beta3 flowschemas           | 1.31",
                "resource.k8s.io/v1 deviceclasses                           | 1.34",
                "resource.k8s.io/v1 resourceclaims                          | 1.34",
                "resource.k8s.io/v1 resourceclaimtemplates                  | 1.34",
                "resource.k8s.io/v1 resourceslices                          | 1.34",
                "storage.k8s.io/v1 volumeattributesclasses                  | 1.34",
                "coordination.k8s.io/v1 leases                              | 1.31 1.32 1.33 1.34",
            })
    void servesTheseOfTheStableResources(String resource, String versions) {
        assertThat(having(resource)).isEqualTo(versions);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "networking.k8s.io/v1beta1 ipaddresses                             | 1.31 1.32 1.33 1.34",
                "networking.k8s.io/v1beta1 servicecidrs                            | 1.31 1.32 1.33 1.34",
                "resource.k8s.io/v1beta2 resourceclaims                            | 1.33",
                "resource.k8s.io/v1beta1 resourceclaims                            | 1.32",
                "resource.k8s.io/v1alpha3 resourceclaims                           | 1.31",
                "resource.k8s.io/v1alpha3 podschedulingcontexts                    | 1.31",
                "storage.k8s.io/v1beta1 volumeattributesclasses                    | 1.31 1.32 1.33 1.34",
                "storage.k8s.io/v1alpha1 volumeattributesclasses                   | 1.31 1.32 1.33",
                "coordination.k8s.io/v1beta1 leasecandidates                       | 1.33 1.34",
                "coordination.k8s.io/v1alpha2 leasecandidates                      | 1.32 1.33 1.34",
                "coordination.k8s.io/v1alpha1 leasecandidates                      | 1.31",
                "admissionregistration.k8s.io/v1beta1 mutatingadmissionpolicies    | 1.34",
                "admissionregistration.k8s.io/v1alpha1 mutatingadmissionpolicies   | 1.32 1.33 1.34",
                "admissionregistration.k8s.io/v1beta1 validatingadmissionpolicies  | 1.31 1.32 1.33",
                "admissionregistration.k8s.io/v1alpha1 validatingadmissionpolicies | 1.31",
                "certificates.k8s.io/v1beta1 clustertrustbundles                   | 1.33 1.34",
                "certificates.k8s.io/v1alpha1 clustertrustbundles                  | 1.31 1.32 1.33 1.34",
                "authentication.k8s.io/v1beta1 selfsubjectreviews                  | 1.31 1.32",
                "authentication.k8s.io/v1alpha1 selfsubjectreviews                 | 1.31",
            })
    void servesTheseOfTheOthersIfToldSo(String resource, String versions) {
        assertThat(having(resource)).isEmpty();
        assertThat(having(resource, "api/all=true")).isEqualTo(versions);
    }

    /** The versions of Kubernetes whose discovery has a resource. */
    private static String having(String resource, String... runtimeConfig) {
        String[] parts = resource.split(" ", -1);
        return Arrays.stream(KubernetesVersion.values())
                .filter(version -> has(cluster(version, runtimeConfig), parts[0], parts[1]))
                .map(KubernetesVersion::toString)
                .collect(Collectors.joining(" "));
    }

    private static boolean has(InMemory cluster, String groupVersion, String plural) {
        ApiResponse discovery = cluster.send("GET", "/apis/" + groupVersion, "");
        return discovery.status() == 200
                && Json.parse(InMemory.text(discovery))
                        .path("resources")
                        .valueStream()
                        .anyMatch(each -> Json.string(each, "name").equals(plural));
    }

    @ParameterizedTest
    @EnumSource
    void listsTheSameVersionsOfGroupsEverywhere(KubernetesVersion version) {
        InMemory cluster = cluster(version, "api/beta");
        Set<String> listed = new TreeSet<>();
        cluster.get("/apis")
                .path("groups")
                .forEach(
                        group -> group.path("versions").forEach(each -> listed.add(Json.string(each, "groupVersion"))));
        Set<String> described = new TreeSet<>();
        cluster.get("/openapi/v3").path("paths").properties().forEach(path -> {
            if (path.getKey().matches("apis/.*/.*")) {
                described.add(path.getKey().substring("apis/".length()));
            }
        });
        Set<String> registered = new TreeSet<>();
        cluster.get("/apis/apiregistration.k8s.io/v1/apiservices")
                .path("items")
                .forEach(item -> registered.add(
                        Json.string(item, "spec", "group") + "/" + Json.string(item, "spec", "version")));
        registered.remove("/v1");
        assertThat(described).isEqualTo(listed);
        assertThat(registered).isEqualTo(listed);
        assertThat(listed).contains("networking.k8s.io/v1beta1").noneMatch(each -> each.contains("alpha"));
    }

    @Test
    void theDefaultIsTheVersionThatHasBeenRecorded() {
        assertThat(Options.defaults().kubernetesVersion()).isEqualTo(KubernetesVersion.V1_33);
        assertThat(BuiltinResources.of(ServedVersions.of(KubernetesVersion.V1_33)))
                .isSameAs(BuiltinResources.all());
    }

    /** An object without a type would lose nothing, and be checked for nothing. */
    @ParameterizedTest
    @EnumSource
    void knowsTheTypeOfEachKind(KubernetesVersion version) {
        ServedVersions all = ServedVersions.of(version, List.of("api/all"));
        List<String> without = new ArrayList<>();
        for (Resource resource : BuiltinResources.of(all)) {
            if (BuiltinTypes.get().of(resource).isEmpty()) {
                without.add(resource.qualified());
            }
        }
        assertThat(without).isSubsetOf("bindings", "componentstatuses");
        InMemory cluster = cluster(version, "api/all");
        assertThat(cluster.get("/openapi/v2").path("definitions").size()).isGreaterThan(100);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1.31 | resource.k8s.io/v1alpha3 | deviceClassName: gpu.example.com",
                "1.32 | resource.k8s.io/v1beta1  | deviceClassName: gpu.example.com",
                "1.33 | resource.k8s.io/v1beta2  | exactly: {deviceClassName: gpu.example.com}",
                "1.34 | resource.k8s.io/v1       | exactly: {deviceClassName: gpu.example.com}",
            })
    void takesClaimsInTheFormOfTheVersion(String version, String apiVersion, String request) {
        InMemory cluster = cluster(version, apiVersion);
        String claims = "/apis/" + apiVersion + "/namespaces/default/resourceclaims";
        String claim = "metadata: {name: one}\nspec: {devices: {requests: [{name: gpu, %s}]}}\n";
        assertThat(cluster.send("POST", claims + "?fieldValidation=Strict", claim.formatted(request))
                        .status())
                .isEqualTo(201);
        JsonNode read = cluster.get(claims + "/one");
        assertThat(Json.string(read, "apiVersion")).isEqualTo(apiVersion);
        assertThat(read.toString()).contains("gpu.example.com");
        String odd = claim.replace("one", "two").formatted(request + ", odd: 1");
        assertThat(cluster.send("POST", claims + "?fieldValidation=Strict", odd).status())
                .isEqualTo(400);
    }

    @Test
    void showsAnObjectInAllVersionsThatAreServed() {
        InMemory cluster = cluster(KubernetesVersion.V1_34, "storage.k8s.io/v1beta1");
        String plural = "/volumeattributesclasses";
        ApiResponse made = cluster.send(
                "POST",
                "/apis/storage.k8s.io/v1beta1" + plural,
                "metadata: {name: fast}\ndriverName: csi.example.com\nparameters: {iops: '9'}\n");
        assertThat(made.status()).isEqualTo(201);
        assertThat(warnings(made))
                .containsExactly("299 - \"storage.k8s.io/v1beta1 VolumeAttributesClass is deprecated in v1.34+,"
                        + " unavailable in v1.37+; use storage.k8s.io/v1 VolumeAttributesClass\"");
        JsonNode stable = cluster.get("/apis/storage.k8s.io/v1" + plural + "/fast");
        assertThat(Json.string(stable, "apiVersion")).isEqualTo("storage.k8s.io/v1");
        assertThat(Json.string(stable, "parameters", "iops")).isEqualTo("9");
    }

    @Test
    void flowSchemasOfANewClusterAreThereInBothVersions() {
        InMemory cluster = cluster(KubernetesVersion.V1_31);
        JsonNode old = cluster.get("/apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas/exempt");
        assertThat(Json.string(old, "apiVersion")).isEqualTo("flowcontrol.apiserver.k8s.io/v1beta3");
        assertThat(old.path("spec"))
                .isEqualTo(cluster.get("/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/exempt")
                        .path("spec"));
    }

    @ParameterizedTest
    @CsvSource({"1.31, false, 0", "1.32, false, 0", "1.33, true, 1", "1.34, true, 1"})
    void podsAreCountedAndEndpointsDeprecatedFromThirtyThreeOn(String version, boolean deprecated, long generation) {
        InMemory cluster = cluster(KubernetesVersion.of(version));
        ApiResponse endpoints = cluster.send("GET", "/api/v1/namespaces/default/endpoints", "");
        assertThat(warnings(endpoints)).hasSize(deprecated ? 1 : 0);
        JsonNode pod = cluster.json(
                "POST",
                "/api/v1/namespaces/default/pods",
                "metadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n");
        assertThat(pod.at("/metadata/generation").longValue(0)).isEqualTo(generation);
    }

    @ParameterizedTest
    @CsvSource({"1.31, 0", "1.32, 0", "1.33, 1", "1.34, 1"})
    void rangesOfServicesAreObjectsFromThirtyThreeOn(String version, int ranges) {
        InMemory cluster = cluster(version, "networking.k8s.io/v1beta1");
        assertThat(cluster.get("/apis/networking.k8s.io/v1beta1/servicecidrs")
                        .path("items")
                        .size())
                .isEqualTo(ranges);
    }

    @ParameterizedTest
    @CsvSource({"1.31, 422", "1.32, 200", "1.33, 422", "1.34, 200"})
    void watchesWithInitialEventsAreAllowedAsThere(String version, int status) {
        String watch = "/api/v1/configmaps?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
        InMemory cluster = cluster(KubernetesVersion.of(version));
        assertThat(cluster.send("GET", watch, "").status()).isEqualTo(status);
        InMemory chosen = new InMemory(options ->
                options.kubernetesVersion(KubernetesVersion.of(version)).watchList(true));
        assertThat(chosen.send("GET", watch, "").status()).isEqualTo(200);
    }

    @Test
    void leavesOutWhatIsSwitchedOff() {
        InMemory cluster = cluster(KubernetesVersion.V1_31, "flowcontrol.apiserver.k8s.io/v1beta3=false");
        assertThat(cluster.send("GET", "/apis/flowcontrol.apiserver.k8s.io/v1beta3", "")
                        .status())
                .isEqualTo(404);
        assertThat(cluster.send("GET", "/apis/flowcontrol.apiserver.k8s.io/v1", "")
                        .status())
                .isEqualTo(200);
        InMemory levels = cluster(KubernetesVersion.V1_33, "api/all", "api/alpha=false", "api/beta=false");
        assertThat(levels.send("GET", "/apis/resource.k8s.io/v1beta2", "").status())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "resource.k8s.io/v1beta2     | but resource.k8s.io/v1",
                "odd.example.com/v1          | nor another one of this group",
                "resource.k8s.io             | is not GROUP/VERSION",
                "resource.k8s.io/v1=yes      | is not GROUP/VERSION",
                "api/stable                  | is not GROUP/VERSION",
            })
    void refusesVersionsThatAreNotThere(String entry, String why) {
        assertThatThrownBy(() -> cluster(KubernetesVersion.V1_34, entry))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("runtime-config " + entry)
                .hasMessageContaining(why);
    }

    @Test
    void refusesOtherVersionsOfKubernetes() {
        assertThatThrownBy(() -> KubernetesVersion.of("1.30"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Kubernetes 1.30 is not one of the versions that are there: 1.31, 1.32, 1.33, 1.34");
    }

    private static List<String> warnings(ApiResponse response) {
        return response.headers().stream()
                .filter(header -> header.name().equalsIgnoreCase("warning"))
                .map(header -> header.value())
                .toList();
    }
}
