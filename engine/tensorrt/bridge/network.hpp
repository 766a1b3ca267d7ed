// A network that is being described, and what building it needs.
#pragma once

#include "internal.hpp"

// Ring carries events from TensorRT's threads to whoever asks for them. Writers
// never wait: when it is full an event is lost.
struct ft_ring {
	static constexpr size_t size = 4096;
	ft_event events[size];
	std::mutex mu;
	size_t first = 0, count = 0;
};

struct ft_network {
	ft_library *library = nullptr;
	std::vector<std::unique_ptr<char[]>> blocks; // constants, alive until the build is over
	std::vector<std::unique_ptr<nvinfer1::IPluginV3>> plugins;
	std::unique_ptr<nvinfer1::IBuilder> builder;
	std::unique_ptr<nvinfer1::IBuilderConfig> config;
	std::unique_ptr<nvinfer1::INetworkDefinition> network;
	std::vector<nvinfer1::ITensor *> tensors;
	std::vector<nvinfer1::IOptimizationProfile *> profiles;
	std::string fault;
	std::atomic<bool> cancelled{false};
	ft_ring ring;

	nvinfer1::ITensor &at(int i);
	int keep(nvinfer1::ITensor *t);
	void *room(size_t bytes);
	nvinfer1::ITensor *integers(std::vector<int64_t> const &list, nvinfer1::DataType type);
};
