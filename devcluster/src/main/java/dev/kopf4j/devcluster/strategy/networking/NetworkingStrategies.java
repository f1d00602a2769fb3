package dev.kopf4j.devcluster.strategy.networking;

import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.Map;

/** The strategies of the group networking.k8s.io. */
public final class NetworkingStrategies {
    private NetworkingStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of(
                "ingressclasses.networking.k8s.io", new IngressClassStrategy(),
                "ipaddresses.networking.k8s.io", new IpAddressStrategy(),
                "servicecidrs.networking.k8s.io", new ServiceCidrStrategy(),
                "ingresses.networking.k8s.io", new IngressStrategy(),
                "networkpolicies.networking.k8s.io", new NetworkPolicyStrategy());
    }
}
