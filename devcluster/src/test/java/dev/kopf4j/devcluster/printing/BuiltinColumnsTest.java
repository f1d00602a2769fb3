package dev.kopf4j.devcluster.printing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.json.YamlReader;
import dev.kopf4j.devcluster.resource.BuiltinResources;
import dev.kopf4j.devcluster.resource.Resource;
import java.time.Instant;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class BuiltinColumnsTest {
    private static final Instant NOW = Instant.parse("2025-01-01T01:00:00Z");

    private static Resource resource(String bucket) {
        return BuiltinResources.all().stream()
                .filter(each -> each.bucket().equals(bucket))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "certificates.k8s.io/certificatesigningrequests | Name, Age, SignerName, Requestor, RequestedDuration, Condition",
                "flowcontrol.apiserver.k8s.io/flowschemas | Name, PriorityLevel, MatchingPrecedence, DistinguisherMethod, Age, MissingPL",
                "networking.k8s.io/ipaddresses | Name, ParentRef",
                "apiregistration.k8s.io/apiservices | Name, Service, Available, Age",
                "componentstatuses | Name, Status, Message, Error",
                "limitranges | Name, Created At",
                "storage.k8s.io/storageclasses | Name, Provisioner, ReclaimPolicy, VolumeBindingMode, AllowVolumeExpansion, Age",
            })
    void hasTheColumnsOfTheKind(String bucket, String names) {
        assertThat(TableColumns.columns(resource(bucket)).stream()
                        .map(TableColumn::name)
                        .collect(Collectors.joining(", ")))
                .isEqualTo(names);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "certificates.k8s.io/certificatesigningrequests | spec: {signerName: a/b, username: jane, expirationSeconds: 86400} | x, 60m, a/b, jane, 24h, Pending",
                "certificates.k8s.io/certificatesigningrequests | {spec: {signerName: a/b}, status: {certificate: eA==, conditions: [{type: Approved}]}} | x, 60m, a/b, , <none>, Approved,Issued",
                "certificates.k8s.io/certificatesigningrequests | status: {conditions: [{type: Approved}, {type: Denied}, {type: Failed}]} | x, 60m, <none>, , <none>, Denied,Failed",
                "flowcontrol.apiserver.k8s.io/flowschemas | spec: {priorityLevelConfiguration: {name: p}, matchingPrecedence: 9} | x, p, 9, <none>, 60m, ?",
                "flowcontrol.apiserver.k8s.io/flowschemas | {spec: {distinguisherMethod: {type: ByUser}}, status: {conditions: [{type: Dangling, status: 'True'}]}} | x, , 0, ByUser, 60m, True",
                "flowcontrol.apiserver.k8s.io/prioritylevelconfigurations | spec: {type: Limited, limited: {nominalConcurrencyShares: 5, limitResponse: {queuing: {queues: 1, handSize: 2, queueLengthLimit: 3}}}} | x, Limited, 5, 1, 2, 3, 60m",
                "flowcontrol.apiserver.k8s.io/prioritylevelconfigurations | spec: {type: Exempt} | x, Exempt, <none>, <none>, <none>, <none>, 60m",
                "networking.k8s.io/ipaddresses | spec: {parentRef: {resource: services, namespace: 'n', name: s}} | x, services/n/s",
                "networking.k8s.io/ipaddresses | spec: {parentRef: {group: A.b, resource: things, name: s}} | x, things.a.b/s",
                "networking.k8s.io/ipaddresses | spec: {} | x, <none>",
                "apiregistration.k8s.io/apiservices | {spec: {}, status: {conditions: [{type: Available, status: 'True', reason: Local}]}} | x, Local, True, 60m",
                "apiregistration.k8s.io/apiservices | {spec: {service: {name: s, namespace: 'n'}}, status: {conditions: [{type: Available, status: 'False', reason: Gone}]}} | x, n/s, False (Gone), 60m",
                "apiregistration.k8s.io/apiservices | spec: {} | x, Local, Unknown, 60m",
                "componentstatuses | conditions: [{type: Healthy, status: 'True', message: ok}] | x, Healthy, ok,",
                "componentstatuses | conditions: [{type: Healthy, status: 'False', error: bad}] | x, Unhealthy, , bad",
                "componentstatuses | {} | x, Unknown, ,",
                "endpoints | subsets: [{addresses: [{ip: 1.1.1.1}, {ip: 1.1.1.2}], ports: [{port: 1}, {port: 2}]}] | x, 1.1.1.1:1,1.1.1.2:1,1.1.1.1:2 + 1 more..., 60m",
                "endpoints | subsets: [{notReadyAddresses: [{ip: 1.1.1.1}]}] | x, , 60m",
                "endpoints | {} | x, <none>, 60m",
                "discovery.k8s.io/endpointslices | {addressType: IPv4, ports: [{name: web}, {}, {port: 1}]} | x, IPv4, web,*,1, <unset>, 60m",
                "services | {spec: {type: LoadBalancer, clusterIPs: [1.1.1.1]}, status: {loadBalancer: {ingress: [{hostname: b}, {ip: 2.2.2.2}, {hostname: b}]}}} | x, LoadBalancer, 1.1.1.1, 2.2.2.2,b, <none>, 60m, <none>",
                "admissionregistration.k8s.io/validatingadmissionpolicybindings | spec: {policyName: p, paramRef: {name: q}} | x, p, */q, 60m",
                "admissionregistration.k8s.io/validatingadmissionpolicybindings | spec: {policyName: p, paramRef: {name: q, namespace: 'n'}} | x, p, n/q, 60m",
                "storage.k8s.io/csistoragecapacities | storageClassName: s | x, 2025-01-01T00:00:00Z",
                "autoscaling/horizontalpodautoscalers | spec: {scaleTargetRef: {kind: D, name: d}, maxReplicas: 2, metrics: [{type: External, external: {target: {averageValue: 5}}}, {type: Pods, pods: {target: {averageValue: 5}}}]} | x, D/d, <unknown>/5 (avg), <unknown>/5, <unset>, 2, 0, 60m",
            })
    void tellsWhatARealServerTells(String bucket, String object, String cells) {
        ObjectNode tree = (ObjectNode) YamlReader.documents(object).getFirst();
        tree.putObject("metadata").put("name", "x").put("creationTimestamp", "2025-01-01T00:00:00Z");
        String row = TableColumns.columns(resource(bucket)).stream()
                .map(tableColumn -> tableColumn.cell().apply(tree, NOW).asString())
                .collect(Collectors.joining(", "))
                .stripTrailing();
        assertThat(row).isEqualTo(cells);
    }
}
